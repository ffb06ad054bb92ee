// Starts n threads that each sleep to a deadline of their own; the deadlines are spread over a second.
import { SPEC } from "../async/timers.mjs";
import { NS_PER_MS, NS_PER_S } from "../harness/clock.mjs";
import { measured } from "../harness/program.mjs";
import { crew, settings } from "./root.mjs";

const GRACE = NS_PER_MS; // a task that woke earlier than this before its deadline woke too early

async function timers({ n, lead }) {
  const first = Number(process.hrtime.bigint()) + lead * NS_PER_MS; // the clock that the threads read
  const tasks = [];
  for (let i = 0; i < n; i++) {
    tasks.push(crew.start(i, "nap", { deadline: first + (i * NS_PER_S) / n }));
  }
  const created = tasks.length;

  let finished = 0;
  let checksum = 0;
  const lateness = [];
  for (const task of tasks) {
    const { number, late } = await crew.join(task);
    lateness.push(late);
    finished += 1;
    checksum += number;
  }
  const early = lateness.filter((late) => late < -GRACE).length;
  return { ops: finished, evidence: { created, finished, checksum, early }, series: { lateness } };
}

await measured(import.meta, { ...SPEC, settings }, timers);
