// Arms n timers for an hour, with no task behind them, and clears them all.
import { integer, required } from "../harness/arguments.mjs";
import { collectGarbage } from "../harness/collector.mjs";
import { held } from "../harness/program.mjs";

const FAR_MS = 3_600_000;

function fired() {
  throw new Error(`a timer of ${FAR_MS} ms fired`);
}

function arm(n) {
  const timers = [];
  for (let i = 0; i < n; i++) timers.push(setTimeout(fired, FAR_MS));
  return timers;
}

/** The number of timers that keep this process alive, as the runtime counts them. */
const pending = () =>
  process.getActiveResourcesInfo().filter((resource) => resource === "Timeout").length;

/** Returns the number of timers that were pending. */
function clear(timers) {
  const before = pending();
  for (const timer of timers) clearTimeout(timer);
  return before - pending();
}

async function memoryTimer({ n }, hold) {
  await hold("base", 0);
  const timers = arm(n);
  const created = timers.length;
  await hold("live", created);
  collectGarbage();
  await hold("live-collected", created);

  const finished = clear(timers);
  timers.length = 0;
  const armed = created - finished;
  await hold("released", armed);
  collectGarbage();
  await hold("released-collected", armed);
  return { ops: finished, evidence: { created, finished } };
}

await held(
  import.meta,
  {
    workload: "memory-timer",
    parameters: { n: required(integer(1)) },
    expected: ({ n }) => ({ ops: n, created: n, finished: n }),
  },
  memoryTimer,
);
