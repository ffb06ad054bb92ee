// Two threads pass a token back and forth, m times each, through memory that they share.
import { SPEC } from "../async/hand-off.mjs";
import { timed } from "../harness/program.mjs";
import { crew, settings, sharedCounts } from "../worker/root.mjs";

const EMPTY = -1;

/** The threads, and a place for each one's next token; each waits for it when this resolves. */
async function form({ m }) {
  const places = sharedCounts(2).fill(EMPTY);
  const players = [0, 1].map((i) => crew.start(i, "playShared", { places, empty: EMPTY, m }));
  for (const player of players) await player.waits;
  return { places, players };
}

async function pass({ nonce }, { places, players }) {
  Atomics.store(places, 0, nonce);
  Atomics.notify(places, 0);
  let finished = 0;
  let messages = 0;
  for (const received of await crew.joinAll(players)) {
    finished += 1;
    messages += received;
  }
  const checksum = Atomics.load(places, 0); // thread 1 left the token there once more than thread 0 took it
  return { ops: messages, evidence: { finished, messages, checksum } };
}

await timed(import.meta, { ...SPEC, settings, prepare: form }, pass);
