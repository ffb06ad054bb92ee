// Two tasks pass a token back and forth, m times each, through one-slot mailboxes.
import { integer, required } from "../harness/arguments.mjs";
import { timed } from "../harness/program.mjs";
import { traceIfAsked } from "../harness/trace.mjs";

const trace = traceIfAsked();

/** The language has no channel: a promise that the sender resolves is what one writes, and what libraries ship. */
export class Mailbox {
  #full = false;
  #value;
  #deliver = null;

  put(value) {
    if (this.#deliver !== null) {
      const deliver = this.#deliver;
      this.#deliver = null;
      deliver(value);
      return;
    }
    if (this.#full) throw new Error("the mailbox is full");
    this.#full = true;
    this.#value = value;
  }

  take() {
    if (this.#full) {
      this.#full = false;
      return Promise.resolve(this.#value);
    }
    if (this.#deliver !== null) throw new Error("somebody waits at the mailbox already");
    return new Promise((resolve) => {
      this.#deliver = resolve;
    });
  }
}

export async function player(i, m, inbox, outbox) {
  await undefined; // off the caller's stack
  let received = 0;
  while (received < m) {
    const token = await inbox.take();
    received += 1;
    trace?.record("run", i);
    outbox.put(token + 1);
  }
  trace?.record("done", i);
  return received;
}

async function handOff({ m }) {
  const boxes = [new Mailbox(), new Mailbox()];
  const players = [];
  for (let i = 0; i < 2; i++) {
    trace?.record("spawn", i);
    players.push(player(i, m, boxes[i], boxes[1 - i]));
    trace?.record("spawned", i);
  }
  boxes[0].put(0);

  let finished = 0;
  let messages = 0;
  for (const [i, received] of (await Promise.all(players)).entries()) {
    trace?.record("collect", i);
    finished += 1;
    messages += received;
  }
  const checksum = await boxes[0].take(); // player 1 sent the token once more than player 0 took it
  return { ops: messages, evidence: { finished, messages, checksum } };
}

export const SPEC = {
  workload: "hand-off",
  parameters: { m: required(integer(1)) },
  expected: ({ m }) => ({ ops: 2 * m, finished: 2, messages: 2 * m, checksum: 2 * m }),
};

await timed(import.meta, SPEC, handOff);
