// What is prepared before the time of hand-off and ring starts.
import assert from "node:assert/strict";
import { test } from "node:test";
import { setImmediate as nextTurn } from "node:timers/promises";
import { SPEC as HAND_OFF } from "../async/hand-off.mjs";
import { SPEC as RING } from "../async/ring.mjs";
import { pass } from "../async/token.mjs";

const CASES = [
  [HAND_OFF, { m: 3, nonce: 1_000_000 }],
  [RING, { k: 5, rounds: 3, nonce: 1_000_000 }],
];

for (const [spec, params] of CASES) {
  test(`all tasks of ${spec.workload} wait before the token is sent`, async () => {
    const formed = spec.prepare(params);
    await nextTurn(); // as the harness does before the time starts
    for (const box of formed.boxes) assert.throws(() => box.take(), /somebody waits/);
    const { ops, evidence } = await pass(formed, params.nonce);
    assert.deepEqual({ ops, ...evidence }, spec.expected(params));
  });
}
