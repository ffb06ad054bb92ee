// CPU work: the arithmetic, and how a calibration settles.
import assert from "node:assert/strict";
import { test } from "node:test";
import { calibrate, scheduled, workAt, xorshift } from "../harness/work.mjs";

test("1,000 rounds from the common start", () => {
  assert.equal(xorshift(2463534242, 1000), 3298996588);
});

test("work takes CPU time", () => {
  assert.ok(workAt(0.1)(1e7) > 0);
});

test("work is CPU time and not rounds: what the clock says is left is worked too", () => {
  let reads = 0;
  const slowly = () => 30_000 * reads++; // ns: so much at each look
  assert.equal(workAt(0.001, slowly)(100_000), 120_000);
  assert.equal(reads, 5);
});

test("the kernel's account of a thread goes on with its work, and no further than the process's", () => {
  const clock = () => {
    process.cpuUsage(); // brings the account up to date
    return kernel();
  };
  const kernel = scheduled();
  const [before, { user, system }] = [clock(), process.cpuUsage()];
  assert.ok(workAt(0.1, clock)(5e6) >= 5e6 - 1e4);
  const whole = process.cpuUsage();
  const ofProcess = (whole.user - user + whole.system - system) * 1e3;
  assert.ok(clock() - before >= 5e6 - 1e4 && clock() - before <= ofProcess + 1e6);
});

/** A thread that does a round in so many ns, as `nsOf` says of each batch. */
function thread(nsOf) {
  let batches = 0;
  return (rounds) => {
    if (rounds < 1000) throw new Error("too few rounds to time");
    batches += 1;
    return rounds * nsOf(batches);
  };
}

test("a calibration waits until the compiler is done", async () => {
  assert.equal(await calibrate(thread((batch) => (batch < 20 ? 4 : 2))), 0.5);
});

test("a calibration is not misled by a batch that was disturbed", async () => {
  assert.equal(await calibrate(thread((batch) => (batch % 9 === 0 ? 20 : 2))), 0.5);
});

test("a calibration that never settles takes the median of what it saw last", async () => {
  assert.equal(await calibrate(thread((batch) => [1, 2, 4][batch % 3])), 0.5);
});
