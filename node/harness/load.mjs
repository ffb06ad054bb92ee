// CPU-bound jobs: the slices that they are made of, and an account of what was done, in whichever thread.
import { NS_PER_MS } from "./clock.mjs";

const SLICE = NS_PER_MS;
const ASKED = 0;
const WORKED = 1;

/** The CPU times in ns of a job's slices. */
export function* slices(job) {
  for (let left = job; left > 0; left -= SLICE) yield Math.min(left, SLICE);
}

/** CPU time asked for and taken, in ns, in memory that threads share. */
export class Account {
  #sums;

  constructor(memory = new SharedArrayBuffer(2 * BigInt64Array.BYTES_PER_ELEMENT)) {
    this.memory = memory;
    this.#sums = new BigInt64Array(memory);
  }

  add(asked, worked) {
    Atomics.add(this.#sums, ASKED, BigInt(asked));
    Atomics.add(this.#sums, WORKED, BigInt(worked));
  }

  get asked() {
    return Number(Atomics.load(this.#sums, ASKED));
  }

  get worked() {
    return Number(Atomics.load(this.#sums, WORKED));
  }
}
