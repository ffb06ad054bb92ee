// Sends probes while tasks use the CPU, and sees how late each is answered.
import { availableParallelism } from "node:os";
import { setTimeout as sleep, setImmediate as turn } from "node:timers/promises";
import { integer, required, word } from "../harness/arguments.mjs";
import { NS_PER_MS, NS_PER_US, now } from "../harness/clock.mjs";
import { Account, slices } from "../harness/load.mjs";
import { Probes } from "../harness/probes.mjs";
import { measured } from "../harness/program.mjs";
import { calibrate, workAt } from "../harness/work.mjs";
import { WorkerPool } from "../harness/worker-pool.mjs";

const PROBE_SLEEP_MS = 1;
const SMALL = 100 * NS_PER_US; // CPU time of a probe of the pool

/** What a job does between two slices, and how a series starts its next job. */
const ON_THIS_THREAD = {
  naive: { pause: null, start: setImmediate },
  slices: { pause: turn, start: setImmediate },
  microtasks: { pause: () => undefined, start: (job) => job() },
};

async function prepare({ mode }) {
  const account = new Account();
  const work = mode in ON_THIS_THREAD ? workAt(await calibrate()) : null;
  const pool = mode === "worker" ? await WorkerPool.start(availableParallelism(), account) : null;
  return { account, work, pool };
}

/** Endless series of jobs. The limit is for those that never let the task run that would stop them. */
class Load {
  jobs = 0;
  #stopped = false;
  #limit;

  constructor(limit) {
    this.#limit = limit;
  }

  get over() {
    return this.#stopped || now() >= this.#limit;
  }

  stop() {
    this.#stopped = true;
  }

  /** Every job is a new task. One that fails is an unhandled rejection, which ends Node with 1. */
  onThisThread(series, job, { pause, start }, { work, account }) {
    const run = async () => {
      await undefined; // off the caller's stack
      for (const slice of slices(job)) {
        if (this.over) return;
        account.add(slice, work(slice));
        if (pause !== null) await pause();
      }
      this.jobs += 1;
      start(run);
    };
    for (let i = 0; i < series; i++) start(run);
  }

  inPool(series, job, { pool }) {
    const run = async () => {
      await pool.run(job, true);
      this.jobs += 1;
      if (!this.over) run();
    };
    for (let i = 0; i < series; i++) run();
  }
}

async function starvation(params, prepared) {
  const { mode, probes, series_count, cap_ms } = params;
  const { account, pool } = prepared;
  const period = params.period_us * NS_PER_US;
  const job = params.job_us * NS_PER_US;
  const timed = new Probes(probes, period, PROBE_SLEEP_MS * NS_PER_MS);
  const pooled = new Probes(pool === null ? 0 : probes, period, SMALL);
  const load = new Load(now() + cap_ms * NS_PER_MS);

  if (pool !== null) load.inPool(series_count, job, prepared);
  else if (mode !== "idle") load.onThisThread(series_count, job, ON_THIS_THREAD[mode], prepared);
  timed.send(() => sleep(PROBE_SLEEP_MS));
  pooled.send(() => pool.run(SMALL, false));

  const answers = Promise.all([timed.complete, pooled.complete]);
  const cap = new AbortController();
  await Promise.race([answers, sleep(cap_ms, undefined, { signal: cap.signal })]);
  load.stop();
  cap.abort();
  const evidence = {
    answered: timed.answered,
    over_limit: probes - timed.answered,
    jobs: load.jobs,
    asked_ns: account.asked,
    worked_ns: account.worked,
  };
  return { ops: probes, evidence, series: { lateness: timed.close(), small: pooled.close() } };
}

await measured(
  import.meta,
  {
    workload: "starvation",
    parameters: {
      mode: required(word("idle", ...Object.keys(ON_THIS_THREAD), "worker")),
      probes: required(integer(1)),
      period_us: required(integer(1)),
      series_count: required(integer(1)),
      job_us: required(integer(1)),
      cap_ms: required(integer(1)),
    },
    prepare,
    release: ({ pool }) => pool?.close(),
    expected: ({ probes }) => ({ ops: probes }),
  },
  starvation,
);
