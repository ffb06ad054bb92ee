// Complete lines out, one line in, synchronously: a pipe in Node is otherwise written behind the program's back.
import { once } from "node:events";
import { readSync, writeSync } from "node:fs";

const STDIN = 0;
const STDOUT = 1;
const pause = new Int32Array(new SharedArrayBuffer(4));

/** Tries again while a non-blocking descriptor is not ready; it sleeps between, so that a hold costs no CPU time. */
function persist(attempt) {
  for (;;) {
    try {
      return attempt();
    } catch (error) {
      if (error.code !== "EAGAIN") throw error;
      Atomics.wait(pause, 0, 0, 1);
    }
  }
}

/** Writes objects as JSON, one a line; all bytes have left the process when it returns. */
export function writeLines(objects, write = writeSync) {
  let bytes = Buffer.from(objects.map((object) => `${JSON.stringify(object)}\n`).join(""));
  while (bytes.length > 0) {
    const rest = bytes;
    bytes = rest.subarray(persist(() => write(STDOUT, rest)));
  }
}

const runnerIsGone = () => new Error("stdin ended while the program was holding");

/** Waits for one line on stdin; throws at the end of the file, because then the runner is gone. */
export function waitForLine(read = readSync) {
  const byte = Buffer.alloc(1);
  do {
    if (persist(() => read(STDIN, byte)) === 0) {
      throw runnerIsGone();
    }
  } while (byte[0] !== 0x0a);
}

/** The same while the event loop goes on, for a program that serves meanwhile. */
export async function lineFrom(stream) {
  const ended = once(stream, "end").then(() => {
    throw runnerIsGone();
  });
  for (;;) {
    const [bytes] = await Promise.race([once(stream, "data"), ended]);
    if (bytes.includes(0x0a)) return;
  }
}
