// A token travels a ring of threads over message ports; hand-off is the ring of two.
import { MessageChannel } from "node:worker_threads";
import { crew } from "./root.mjs";

/** The threads; each waits for the token when this resolves. */
export async function form(k, m) {
  const channels = Array.from({ length: k }, () => new MessageChannel());
  const players = channels.map(({ port2: inbox }, i) => {
    const { port1: next } = channels[(i + 1) % k];
    const given = { inbox, next, m, first: i === 0, last: i === k - 1 };
    return crew.start(i, "play", given, [inbox, next]);
  });
  for (const player of players) await player.waits;
  return players;
}

/** A port has one sender: the first token comes to the first thread from its parent, and the last goes there. */
export async function pass(players, nonce) {
  players[0].worker.postMessage(nonce);
  let finished = 0;
  let messages = 0;
  let checksum = 0;
  for (const { received, token } of await crew.joinAll(players)) {
    finished += 1;
    messages += received;
    checksum = token ?? checksum;
  }
  return { ops: messages, evidence: { finished, messages, checksum } };
}
