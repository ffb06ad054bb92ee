// CPU work: the arithmetic, and how a calibration settles.
import assert from "node:assert/strict";
import { test } from "node:test";
import { calibrate, workAt, xorshift } from "../harness/work.mjs";

test("1,000 rounds from the common start", () => {
  assert.equal(xorshift(2463534242, 1000), 3298996588);
});

test("work takes CPU time", () => {
  assert.ok(workAt(0.1)(1e8) > 0);
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
