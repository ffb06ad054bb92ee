// Serves one small page with node:http as it comes.
import { once } from "node:events";
import { createServer } from "node:http";
import { required, word } from "../harness/arguments.mjs";
import { served } from "../harness/program.mjs";

const PAGE = "Blah\n";

function answer(request, response) {
  if (request.method !== "GET" || request.url !== "/") {
    response.writeHead(404).end();
    return;
  }
  response.writeHead(200, { "Content-Type": "text/html", "Content-Length": PAGE.length }).end(PAGE);
}

await served(
  import.meta,
  {
    workload: "http",
    parameters: {
      phase: required(word("one-new", "one-keep", "many-new", "many-keep", "open")),
    },
  },
  async () => {
    const server = createServer(answer).listen(0, "127.0.0.1");
    await once(server, "listening");
    return server;
  },
);
