// What the programs accept as arguments, and what they say about the rest.
import assert from "node:assert/strict";
import { test } from "node:test";
import {
  flag,
  integer,
  optional,
  parseArguments,
  required,
  UsageError,
  word,
} from "../harness/arguments.mjs";

const SCHEMA = { n: required(integer(1)), trace: optional(flag, false) };

test("reads what is given and fills in what is optional", () => {
  assert.deepEqual(parseArguments(["n=1000"], SCHEMA), { n: 1000, trace: false });
  assert.deepEqual(parseArguments(["trace=1", "n=1"], SCHEMA), { n: 1, trace: true });
});

const WRONG = [
  [[], '"n" is missing'],
  [["n"], '"n" is not key=value'],
  [["n=1", "n=2"], '"n" is given twice'],
  [["n=1", "m=2"], 'unknown key "m"; known are n, trace'],
  [["n=1", "toString=2"], 'unknown key "toString"; known are n, trace'],
  [["n=0"], 'n must be an integer from 1, not "0"'],
  [["n=1=2"], 'n must be an integer from 1, not "1=2"'],
  [["n=1", "trace=2"], 'trace must be 0 or 1, not "2"'],
  ...["", "-1", "1e3", "0x10", " 1", "01", "1.0", "9007199254740992"].map((text) => [
    [`n=${text}`],
    `n must be an integer from 1, not "${text}"`,
  ]),
];

for (const [words, message] of WRONG) {
  test(`rejects ${JSON.stringify(words)}`, () => {
    assert.throws(
      () => parseArguments(words, SCHEMA),
      (error) => {
        assert.ok(error instanceof UsageError);
        assert.equal(error.message, message);
        return true;
      },
    );
  });
}

test("a word is one of those listed", () => {
  const schema = { wait: required(word("timer", "peer")) };
  assert.deepEqual(parseArguments(["wait=peer"], schema), { wait: "peer" });
  assert.throws(() => parseArguments(["wait=sleep"], schema), {
    message: 'wait must be one of timer, peer, not "sleep"',
  });
});
