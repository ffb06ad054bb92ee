// Connections to the latency server, which sends back after a delay what it was sent.
import { once } from "node:events";
import { connect } from "node:net";

class Line {
  #socket;
  #question;
  #answered = null;
  #answer = Buffer.alloc(0);

  constructor(socket, delayUs) {
    this.#question = Buffer.alloc(8);
    this.#question.writeBigUInt64BE(BigInt(delayUs));
    this.#socket = socket.on("data", (bytes) => this.#take(bytes));
  }

  /** Resolves when the answer is there; it must be the question. */
  ask() {
    this.#answered = Promise.withResolvers();
    this.#answer = Buffer.alloc(0);
    this.#socket.write(this.#question);
    return this.#answered.promise;
  }

  #take(bytes) {
    this.#answer = Buffer.concat([this.#answer, bytes]);
    if (this.#answer.length < this.#question.length) return;
    if (this.#answer.equals(this.#question)) this.#answered.resolve();
    else this.#answered.reject(new Error(`answered ${this.#answer.toString("hex")}`));
  }

  close() {
    this.#socket.destroy();
  }
}

/** Opens `count` connections to a port of 127.0.0.1. An error on one, its early end included, is an error of the process. */
export async function openLines(count, port, delayUs) {
  const sockets = Array.from({ length: count }, () =>
    connect({ host: "127.0.0.1", port, noDelay: true }),
  );
  await Promise.all(sockets.map((socket) => once(socket, "connect")));
  for (const socket of sockets) {
    socket.on("end", () => socket.destroy(new Error("the latency server hung up")));
  }
  return sockets.map((socket) => new Line(socket, delayUs));
}
