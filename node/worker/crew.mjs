// Starts worker threads as tasks, and joins them; what a thread does lies in tasks.mjs or in a file of its own.
import { Worker } from "node:worker_threads";

const TASKS = new URL("./tasks.mjs", import.meta.url);
const OWN_FILES = { number: new URL("./number.cjs", import.meta.url) };
const WAITS = "waits";

/** A variant may want less address space for the code of each thread than V8 reserves. */
const codeRange = process.env.COROBENCH_CODE_RANGE_MB;
export const LIMITS =
  codeRange === undefined ? {} : { resourceLimits: { codeRangeSizeMb: Number(codeRange) } };

/** Told by a task that is about to wait. */
export const tellThatItWaits = (port) => port.postMessage(WAITS);

/** A task; its result is there when its thread has ended. An error in it is one of the promise, handled or not. */
class Task {
  #waits = Promise.withResolvers();
  #ended = Promise.withResolvers();
  #last;

  constructor(i, worker) {
    this.i = i;
    this.worker = worker;
    worker.on("message", (message) => {
      if (message === WAITS) this.#waits.resolve();
      else this.#last = message;
    });
    worker.on("error", this.#ended.reject);
    worker.on("exit", (code) => {
      if (this.#last !== undefined && code === 0) this.#ended.resolve(this.#last);
      else this.#ended.reject(new Error(`task ${i} ended without a result, with ${code}`));
    });
  }

  get waits() {
    return Promise.race([this.#waits.promise, this.#ended.promise]);
  }

  get ended() {
    return this.#ended.promise;
  }
}

/** The tasks that one thread starts; `recorder` is null while nothing is traced. */
export class Crew {
  #recorder;

  constructor(recorder) {
    this.#recorder = recorder;
  }

  /** Starts task i, a function of tasks.mjs or one that has its own file. */
  start(i, body, given = {}, transferList = []) {
    const trace = this.#recorder?.memory ?? null;
    this.#recorder?.record("spawn", i);
    const worker = new Worker(OWN_FILES[body] ?? TASKS, {
      workerData: { i, body, trace, given },
      transferList,
      ...LIMITS,
    });
    this.#recorder?.record("spawned", i);
    return new Task(i, worker);
  }

  /** Its result, when its thread has ended. */
  async join(task) {
    const { result, events } = await task.ended;
    this.#recorder?.events.push(...events);
    this.#recorder?.record("collect", task.i);
    return result;
  }

  /** The results of all, in their order. */
  async joinAll(tasks) {
    const results = [];
    for (const task of tasks) results.push(await this.join(task));
    return results;
  }
}
