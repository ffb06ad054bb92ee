// One trace of several threads: a counter that they share puts their events in order.

export class Recorder {
  events = [];
  #count;
  #unit;

  /** `memory` is four shared bytes; `unit` is who records, where it is always the same. */
  constructor(memory, unit) {
    this.memory = memory;
    this.#count = new Int32Array(memory);
    this.#unit = unit;
  }

  record(kind, i, unit = this.#unit) {
    this.events.push([Atomics.add(this.#count, 0, 1), kind, i, unit]);
  }

  /** The events of all threads whose events were added, in the order in which they happened. */
  get trace() {
    return this.events.toSorted(([a], [b]) => a - b).map(([, ...event]) => event);
  }
}
