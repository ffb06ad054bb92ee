// Tasks sent at fixed times, and how late each ended.
import { now, sleepUntil } from "./clock.mjs";

export class Probes {
  answered = 0;
  #first;
  #period;
  #takes;
  #lateness;
  #complete = Promise.withResolvers();
  #closed = false;

  /** `takes` is what a probe takes where nothing is in its way; times are in ns. */
  constructor(count, period, takes) {
    this.#period = period;
    this.#takes = takes;
    this.#lateness = Array(count).fill(null);
    if (count === 0) this.#complete.resolve();
  }

  /** Sends the first probe now, each a task of its own that awaits `probe()`. The schedule does not wait for answers. */
  async send(probe) {
    this.#first = now();
    for (const i of this.#lateness.keys()) {
      const due = this.#scheduled(i);
      if (now() < due) await sleepUntil(due); // a sleep of nothing would take a turn of the loop for each that is overdue
      if (this.#closed) return;
      this.#answer(i, probe);
    }
  }

  async #answer(i, probe) {
    await undefined; // off the caller's stack
    await probe();
    if (this.#closed) return;
    this.#lateness[i] = this.#late(i);
    this.answered += 1;
    if (this.answered === this.#lateness.length) this.#complete.resolve();
  }

  #scheduled(i) {
    return this.#first + i * this.#period;
  }

  #late(i) {
    return now() - this.#scheduled(i) - this.#takes;
  }

  get complete() {
    return this.#complete.promise;
  }

  /** Takes no more answers. Returns the lateness of all; probes without an answer, sent or not, are as late as they are by now. */
  close() {
    this.#closed = true;
    return this.#lateness.map((late, i) => late ?? this.#late(i));
  }
}
