// One task waits on k mailboxes at once, another sends through them in an order that the first does not know.
import { integer, required } from "../harness/arguments.mjs";
import { timed } from "../harness/program.mjs";
import { traceIfAsked } from "../harness/trace.mjs";
import { Mailbox } from "./token.mjs";

const trace = traceIfAsked();

/** Promise.race takes the first, and every other promise is kept for the next race: it has its message, or will. */
async function selector(boxes, answers, { k, w, m }) {
  await undefined; // off the caller's stack
  const take = async (channel) => ({ channel, message: await boxes[channel].take() });
  const pending = boxes.map((_box, channel) => take(channel));
  const counts = new Array(k).fill(0);
  let checksum = 0;
  for (let received = 1; received <= k * m; received++) {
    const { channel, message } = await Promise.race(pending);
    trace?.record("run", 0);
    pending[channel] = take(channel);
    counts[channel] += 1;
    checksum += message;
    if (received % w === 0) answers.put(received);
  }
  trace?.record("done", 0);
  return { counts, checksum };
}

async function sender(boxes, answers, { k, w, m, nonce }) {
  await undefined; // off the caller's stack
  let sent = 0;
  for (let round = nonce; round < nonce + m; round++) {
    for (let turn = 0; turn < k; turn++) {
      boxes[(round + turn * (2 * round + 1)) % k].put(nonce + sent);
      sent += 1;
      if (sent % w === 0) {
        await answers.take();
        trace?.record("run", 1);
      }
    }
  }
  trace?.record("done", 1);
  return sent;
}

async function select(params) {
  const boxes = Array.from({ length: params.k }, () => new Mailbox());
  const answers = new Mailbox();
  trace?.record("spawn", 0);
  const selecting = selector(boxes, answers, params);
  trace?.record("spawned", 0);
  trace?.record("spawn", 1);
  const sending = sender(boxes, answers, params);
  trace?.record("spawned", 1);
  const ended = await Promise.all([selecting, sending]);
  const [{ counts, checksum }] = ended;
  const messages = counts.reduce((sum, count) => sum + count, 0);
  return {
    ops: messages,
    evidence: {
      finished: ended.length,
      messages,
      least: Math.min(...counts),
      most: Math.max(...counts),
      checksum,
    },
  };
}

await timed(
  import.meta,
  {
    workload: "select",
    parameters: { k: required(integer(1)), w: required(integer(1)), m: required(integer(1)) },
    expected: ({ k, m, nonce }) => ({
      ops: k * m,
      finished: 2,
      messages: k * m,
      least: m,
      most: m,
      checksum: k * m * nonce + (k * m * (k * m - 1)) / 2,
    }),
  },
  select,
);
