// Two tasks pass a byte back and forth over a pair of Unix stream sockets, m round trips.
import { once } from "node:events";
import { connect, createServer } from "node:net";
import { integer, required } from "../harness/arguments.mjs";
import { timed } from "../harness/program.mjs";
import { traceIfAsked } from "../harness/trace.mjs";

const trace = traceIfAsked();

/** Node has no socketpair; what a server accepted and what connected to it are such a pair. */
async function socketPair() {
  const path = `\0corobench-${process.pid}`; // an abstract name leaves no file behind
  const server = createServer().listen(path);
  await once(server, "listening");
  const near = connect(path);
  const [[far]] = await Promise.all([once(server, "connection"), once(near, "connect")]);
  server.close();
  return [near, far];
}

const destroy = (sockets) => {
  for (const socket of sockets) socket.destroy();
};

/** A loop over a socket destroys it when it breaks off; here that waits until the time has stopped. */
const chunksOf = (socket) => socket.iterator({ destroyOnReturn: false });

async function caller(m, socket) {
  await undefined; // off the caller's stack
  trace?.record("run", 0);
  let received = 0;
  socket.write("x");
  for await (const bytes of chunksOf(socket)) {
    received += bytes.length;
    if (received >= m) break;
    socket.write(bytes);
  }
  trace?.record("done", 0);
  return received;
}

async function echoer(m, socket) {
  await undefined; // off the caller's stack
  trace?.record("run", 1);
  let received = 0;
  for await (const bytes of chunksOf(socket)) {
    received += bytes.length;
    socket.write(bytes);
    if (received >= m) break;
  }
  trace?.record("done", 1);
  return received;
}

async function ioSwitch({ m }, sockets) {
  const tasks = [];
  for (const [i, task] of [caller, echoer].entries()) {
    trace?.record("spawn", i);
    tasks.push(task(m, sockets[i]));
    trace?.record("spawned", i);
  }

  let finished = 0;
  let messages = 0;
  for (const [i, received] of (await Promise.all(tasks)).entries()) {
    trace?.record("collect", i);
    finished += 1;
    messages += received;
  }
  return { ops: messages / 2, evidence: { finished, messages } };
}

await timed(
  import.meta,
  {
    workload: "io-switch",
    parameters: { m: required(integer(1)) },
    prepare: socketPair,
    release: destroy,
    expected: ({ m }) => ({ ops: m, finished: 2, messages: 2 * m }),
  },
  ioSwitch,
);
