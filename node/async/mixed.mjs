// Serves requests that work and wait in turn, c at a time, each a new task that the one before it starts.
import { setTimeout as sleep } from "node:timers/promises";
import { integer, required, UsageError, word } from "../harness/arguments.mjs";
import { NS_PER_MS, NS_PER_US, now } from "../harness/clock.mjs";
import { openLines } from "../harness/latency.mjs";
import { measured } from "../harness/program.mjs";
import { evidenceOf, seriesOf, steady } from "../harness/requests.mjs";
import { traceIfAsked } from "../harness/trace.mjs";
import { calibrate, workAt } from "../harness/work.mjs";

const trace = traceIfAsked();

/** Cuts a whole number into whole pieces that differ by no more than one. */
function split(total, count) {
  const until = Array.from({ length: count + 1 }, (_, k) => Math.floor((total * k) / count));
  return until.slice(1).map((end, k) => end - until[k]);
}

async function prepare({ c, splits, wait_us, wait }, { peer }) {
  const work = workAt(await calibrate());
  const delayUs = Math.floor(wait_us / splits);
  if (wait === "timer") {
    return {
      work,
      waits: Array(c).fill(() => sleep((delayUs * NS_PER_US) / NS_PER_MS)),
      lines: [],
    };
  }
  if (peer === null) throw new UsageError('"peer" is missing');
  const lines = await openLines(c, peer, delayUs);
  return { work, waits: lines.map((line) => () => line.ask()), lines };
}

function release({ lines }) {
  for (const line of lines) line.close();
}

async function mixed({ c, splits, cpu_us, requests: count }, { work, waits }) {
  const pieces = split(cpu_us * NS_PER_US, splits + 1);
  const requests = [];
  const allEnded = Promise.withResolvers();
  let chains = c;

  /** Starts a chain's next request; the chain ends when all are given out. */
  function next(wait) {
    const i = requests.length;
    if (i === count) {
      chains -= 1;
      if (chains === 0) allEnded.resolve();
      return;
    }
    trace?.record("spawn", i);
    requests.push({ arrival: now(), begin: 0, end: 0, pieces: [] });
    request(i, wait); // nobody awaits it: one that fails is an unhandled rejection, which ends Node with 1
    trace?.record("spawned", i);
  }

  async function request(i, wait) {
    await undefined; // off the caller's stack
    const mine = requests[i];
    mine.begin = now();
    trace?.record("run", i);
    for (const [k, asked] of pieces.entries()) {
      if (k > 0) await wait();
      const begin = now();
      const worked = work(asked);
      mine.pieces.push({ begin, end: now(), asked, worked });
    }
    mine.end = now();
    trace?.record("done", i);
    next(wait);
  }

  for (const wait of waits) next(wait);
  await allEnded.promise;
  const window = steady(requests, c);
  const evidence = evidenceOf(requests, window);
  return { ops: evidence.finished, evidence, series: seriesOf(requests, window) };
}

await measured(
  import.meta,
  {
    workload: "mixed",
    parameters: {
      c: required(integer(1)),
      splits: required(integer(1)),
      cpu_us: required(integer(1)),
      wait_us: required(integer(1)),
      requests: required(integer(1)),
      wait: required(word("timer", "peer")),
    },
    prepare,
    release,
    expected: ({ splits, cpu_us, requests }) => ({
      ops: requests,
      finished: requests,
      pieces: requests * (splits + 1),
      asked_ns: requests * cpu_us * NS_PER_US,
    }),
  },
  mixed,
);
