// A token travels a ring of tasks through one-slot mailboxes; hand-off is the ring of two.
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

async function player(i, m, inbox, outbox) {
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

/** k tasks; each waits at its mailbox before the time starts, because the harness lets the event loop turn first. */
export function form(k, rounds) {
  const boxes = Array.from({ length: k }, () => new Mailbox());
  const players = [];
  for (const [i, inbox] of boxes.entries()) {
    trace?.record("spawn", i);
    players.push(player(i, rounds, inbox, boxes[(i + 1) % k]));
    trace?.record("spawned", i);
  }
  return { boxes, players };
}

export async function pass({ boxes: [first], players }, nonce) {
  first.put(nonce);
  let finished = 0;
  let messages = 0;
  for (const [i, received] of (await Promise.all(players)).entries()) {
    trace?.record("collect", i);
    finished += 1;
    messages += received;
  }
  const checksum = await first.take(); // the last task sent the token once more than task 0 took it
  return { ops: messages, evidence: { finished, messages, checksum } };
}
