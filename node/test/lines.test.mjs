// Lines survive pipes that take little at a time or are not ready.
import assert from "node:assert/strict";
import { PassThrough } from "node:stream";
import { test } from "node:test";
import { lineFrom, waitForLine, writeLines } from "../harness/lines.mjs";

const notReady = () => Object.assign(new Error("not ready"), { code: "EAGAIN" });

test("writes everything through a pipe that takes three bytes at a time and is sometimes full", () => {
  let written = "";
  let calls = 0;
  writeLines([{ type: "hold", point: "läve" }, { type: "end" }], (_descriptor, bytes) => {
    calls += 1;
    if (calls % 3 === 0) throw notReady();
    written += bytes.subarray(0, 3).toString("latin1");
    return Math.min(3, bytes.length);
  });
  assert.equal(
    Buffer.from(written, "latin1").toString(),
    '{"type":"hold","point":"läve"}\n{"type":"end"}\n',
  );
});

test("a broken pipe is an error", () => {
  const broken = () => {
    throw Object.assign(new Error("broken"), { code: "EPIPE" });
  };
  assert.throws(() => writeLines([{}], broken), { code: "EPIPE" });
});

function stdinWith(script) {
  const rest = [...script];
  const read = (_descriptor, byte) => {
    const next = rest.shift();
    if (next === undefined) return 0;
    if (next === "~") throw notReady();
    byte[0] = next.charCodeAt(0);
    return 1;
  };
  return { read, rest };
}

test("takes one line and leaves the next", () => {
  const { read, rest } = stdinWith("~go~ on\nand on\n");
  waitForLine(read);
  assert.equal(rest.join(""), "and on\n");
});

test("the end of stdin is an error", () => {
  assert.throws(() => waitForLine(stdinWith("go").read), /stdin ended/);
});

test("a line is awaited while the loop goes on, in as many pieces as it comes", async () => {
  const stdin = new PassThrough();
  const line = lineFrom(stdin);
  stdin.write("go");
  await new Promise(setImmediate);
  stdin.write(" on\n");
  await line;
});

test("the end of what should bring the line is an error", async () => {
  await assert.rejects(lineFrom(new PassThrough().end("go")), /stdin ended/);
});
