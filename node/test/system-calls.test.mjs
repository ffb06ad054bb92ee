// System calls, counted by strace: what the kernel was asked for can't be claimed, and is free of noise.
import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, test } from "node:test";

const PROGRAM = join(import.meta.dirname, "..", "async/io-switch.mjs");
/** What the socket of any runtime is read and written by. */
const SOCKET = ["read", "readv", "recvfrom", "recvmsg", "write", "writev", "sendto", "sendmsg"];
const STARTS_DIFFER_BY = 20;

const folder = mkdtempSync(join(tmpdir(), "corobench-calls-"));
after(() => rmSync(folder, { recursive: true }));

/** Calls of the socket's kinds that an iteration of m round trips makes, those of the start and the end included. */
function calls(m) {
  const table = join(folder, `${m}`);
  const counting = ["-f", "-c", "-o", table, "-e", `trace=${SOCKET.join(",")}`];
  const program = [process.execPath, PROGRAM, `m=${m}`, "iterations=1"];
  const env = { PATH: process.env.PATH, COROBENCH_RUNTIME: "node" };
  const done = spawnSync("strace", [...counting, ...program], { encoding: "utf8", env });
  assert.equal(done.status, 0, done.error?.message ?? done.stderr);
  const rows = readFileSync(table, "utf8")
    .split("\n")
    .map((line) => line.trim().split(/\s+/));
  return rows
    .filter((row) => SOCKET.includes(row.at(-1)))
    .reduce((sum, row) => sum + Number(row[3]), 0);
}

// Without the tool the test is skipped, and fails in CI.
const isThere = spawnSync("strace", ["-V"]).status === 0;
const skip =
  !isThere && !process.env.CI && "strace is not installed: the system calls are not counted";

test("each byte of io-switch goes through the kernel", { skip }, () => {
  const more = calls(600) - calls(100);
  assert.ok(
    more >= 500 * 4 - STARTS_DIFFER_BY,
    `500 more round trips made ${more} more calls; each is two bytes, and each byte is written and read`,
  );
});
