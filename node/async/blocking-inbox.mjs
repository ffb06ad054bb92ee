// A place for one token in shared memory, for which a thread blocks: Atomics.wait is what a plain thread waits by.

const EMPTY = 0;
const FULL = 1;

export class BlockingInbox {
  static BYTES = 16;
  #state;
  #token;

  constructor(memory) {
    this.#state = new Int32Array(memory, 0, 1);
    this.#token = new Float64Array(memory, 8, 1);
  }

  put(token) {
    this.#token[0] = token;
    Atomics.store(this.#state, 0, FULL);
    Atomics.notify(this.#state, 0);
  }

  /** Whether a token lies there. */
  get full() {
    return Atomics.load(this.#state, 0) === FULL;
  }

  /** Blocks the thread, and its event loop, until a token lies there. */
  take() {
    while (!this.full) Atomics.wait(this.#state, 0, EMPTY);
    const token = this.#token[0];
    Atomics.store(this.#state, 0, EMPTY);
    return token;
  }
}
