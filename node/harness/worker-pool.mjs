// A pool of worker threads that do CPU work; Node ships the threads, and no pool.
import { once } from "node:events";
import { isMainThread, parentPort, Worker, workerData } from "node:worker_threads";
import { Account, slices } from "./load.mjs";
import { calibrate, workAt } from "./work.mjs";

const READY = "ready";
const DONE = "done";

export class WorkerPool {
  #threads;
  #idle;
  #waiting = [];

  /** Starts `size` threads and waits until each has calibrated its work. What is counted goes to the account. */
  static async start(size, account) {
    const threads = Array.from(
      { length: size },
      () => new Worker(import.meta.filename, { workerData: { memory: account.memory } }),
    );
    await Promise.all(threads.map((thread) => once(thread, "message")));
    return new WorkerPool(threads);
  }

  constructor(threads) {
    this.#threads = threads;
    this.#idle = [...threads];
  }

  /** Resolves when a thread has done `ns` of CPU work; first come, first served. */
  async run(ns, counted) {
    const thread = this.#idle.pop() ?? (await new Promise((take) => this.#waiting.push(take)));
    thread.postMessage({ ns, counted });
    await once(thread, "message");
    const next = this.#waiting.shift();
    if (next === undefined) this.#idle.push(thread);
    else next(thread);
  }

  /** Ends the threads, whatever they do. */
  close() {
    for (const thread of this.#threads) thread.terminate();
  }
}

async function serve({ memory }) {
  const account = new Account(memory);
  const work = workAt(await calibrate());
  parentPort.on("message", ({ ns, counted }) => {
    for (const slice of slices(ns)) {
      const worked = work(slice);
      if (counted) account.add(slice, worked);
    }
    parentPort.postMessage(DONE);
  });
  parentPort.postMessage(READY);
}

if (!isMainThread) await serve(workerData);
