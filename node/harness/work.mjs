// CPU work of a given length: rounds of xorshift32, until the CPU clock says that it is enough.
import { openSync, readSync } from "node:fs";
import { setTimeout as sleep } from "node:timers/promises";
import { NS_PER_MS, NS_PER_US } from "./clock.mjs";

const SEED = 2463534242;
const CHUNK = 1000; // rounds, a microsecond or two
const BATCH_NS = 2 * NS_PER_MS;
const FEWEST_BATCHES = 30;
const WINDOW = 9; // batches that must agree
const AGREE = 0.02;
const MOST_BATCHES = 300;
const SHORTEST = 10 * NS_PER_US; // a step of work: some times what reading the clocks costs

/** Rounds of Marsaglia's xorshift32 (Journal of Statistical Software 8 (14), 2003). */
export function xorshift(start, rounds) {
  let x = start;
  for (let round = 0; round < rounds; round++) {
    x ^= x << 13;
    x ^= x >>> 17;
    x ^= x << 5;
  }
  return x >>> 0;
}

/** The CPU time of the thread that calls this, in ns, by the kernel's own account of it: the first number of its schedstat (sched-stats.rst). */
export function scheduled() {
  const account = openSync("/proc/thread-self/schedstat");
  const text = Buffer.alloc(64);
  return () => Number.parseInt(text.latin1Slice(0, readSync(account, text, 0, text.length, 0)), 10);
}

/** A manifest asks for it where the runtime tells a thread's time in ticks. */
const kernel = process.env.COROBENCH_CPU_CLOCK === "schedstat" ? scheduled() : null;

/**
 * CPU time in ns: of this thread where the runtime tells it (older versions of Node do not), of the process elsewhere.
 * Linux brings the account of a running thread up to date only when the process's is read (task_cputime_adjusted and
 * thread_group_cputime in kernel/sched/cputime.c).
 */
function cpuTime() {
  const whole = process.cpuUsage();
  if (kernel !== null) return kernel();
  const { user, system } = process.threadCpuUsage?.() ?? whole;
  return (user + system) * NS_PER_US;
}

/**
 * Many short calls, because V8 compiles the loop of one long call as a replacement on its stack, which it gave up at the end
 * of every call; later ones then took a quarter longer than what was calibrated.
 */
function compute(rounds) {
  let x = SEED;
  for (let left = rounds; left > 0; left -= CHUNK) x = xorshift(x, Math.min(left, CHUNK));
  if (x === 0) throw new Error("xorshift32 came to zero"); // it can't; but the result is used
}

/** Returns the CPU time taken, in ns. */
function spin(rounds) {
  const before = cpuTime();
  compute(rounds);
  return cpuTime() - before;
}

/**
 * Returns what does CPU work of `ns`, without a wait, and returns the CPU time that it took, in ns. It goes by halves of what
 * is left, because the pace alone drifts by more than 5 % under what neighbours do to caches and clock.
 */
export const workAt =
  (pace, clock = cpuTime) =>
  (ns) => {
    const start = clock();
    let used = 0;
    for (let left = ns; left >= SHORTEST; left = ns - used) {
      compute(Math.round(pace * Math.max(left / 2, SHORTEST)));
      used = clock() - start;
    }
    return used;
  };

/**
 * Returns the pace, rounds a nanosecond. Between two batches it sleeps, so that the compiler's threads have the CPU and the
 * event loop can put in what they made. The pace is the median of a window of batches that agree but for their two
 * extremes, or of the last ones.
 */
export async function calibrate(measure = spin) {
  let rounds = 1000;
  while (measure(rounds) < BATCH_NS) rounds *= 2;
  const paces = [];
  for (let batch = 0; batch < MOST_BATCHES && !steady(paces); batch++) {
    await sleep(1);
    paces.push(rounds / measure(rounds));
  }
  return sortedWindow(paces)[(WINDOW - 1) / 2];
}

const sortedWindow = (paces) => paces.slice(-WINDOW).sort((a, b) => a - b);

function steady(paces) {
  if (paces.length < FEWEST_BATCHES) return false;
  const inner = sortedWindow(paces).slice(1, -1);
  return inner.at(-1) <= inner[0] * (1 + AGREE);
}
