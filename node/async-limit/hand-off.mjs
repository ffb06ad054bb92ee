// Two tasks pass a token back and forth, m times each, through a promise that its reader makes before it is needed.
import { SPEC } from "../async/hand-off.mjs";
import { timed } from "../harness/program.mjs";
import { traceIfAsked } from "../harness/trace.mjs";

const trace = traceIfAsked();

/** Where the next token will be. There is one reader, and a second token before it has come would be lost. */
const place = () => ({ next: Promise.withResolvers() });

async function player(i, m, inbox, outbox) {
  await undefined; // off the caller's stack
  let received = 0;
  while (received < m) {
    const token = await inbox.next.promise;
    inbox.next = Promise.withResolvers();
    received += 1;
    trace?.record("run", i);
    outbox.next.resolve(token + 1);
  }
  trace?.record("done", i);
  return received;
}

function form({ m }) {
  const places = [place(), place()];
  const players = places.map((inbox, i) => {
    trace?.record("spawn", i);
    const handle = player(i, m, inbox, places[1 - i]);
    trace?.record("spawned", i);
    return handle;
  });
  return { first: places[0], players };
}

async function pass(_params, { first, players }) {
  first.next.resolve(0);
  let finished = 0;
  let messages = 0;
  for (const [i, received] of (await Promise.all(players)).entries()) {
    trace?.record("collect", i);
    finished += 1;
    messages += received;
  }
  const checksum = await first.next.promise; // the last task sent the token once more than task 0 took it
  return { ops: messages, evidence: { finished, messages, checksum } };
}

await timed(import.meta, { ...SPEC, prepare: form }, pass);
