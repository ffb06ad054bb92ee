// What the requests of mixed amount to.
import assert from "node:assert/strict";
import { test } from "node:test";
import { evidenceOf, seriesOf, steady, timeline } from "../harness/requests.mjs";

const piece = (begin, end, worked = 2) => ({ begin, end, asked: 2, worked });

/** Two requests that overlap, and one that comes when the first has ended. */
const REQUESTS = [
  { arrival: 0, begin: 1, end: 10, pieces: [piece(1, 3), piece(8, 10, 1)] },
  { arrival: 2, begin: 3, end: 14, pieces: [piece(3, 5), piece(12, 14)] },
  { arrival: 10, begin: 10, end: 16, pieces: [piece(10, 12, 3), piece(14, 16)] },
];

test("evidence is counted from the requests", () => {
  const window = { requests: REQUESTS.slice(1), ns: 5.99999994, alive: 9.00000012 };
  const all = { finished: 3, pieces: 6, asked_ns: 12, worked_ns: 12, most_alive: 2 };
  const counted = { ...all, steady_ops: 2, steady_ns: 6, steady_alive_ns: 9 };
  assert.deepEqual(evidenceOf(REQUESTS, window), counted);
});

test("samples are those of the steady window", () => {
  const { response, service, queueing, timeline } = seriesOf(REQUESTS, {
    requests: REQUESTS.slice(1),
    ns: 6,
  });
  assert.deepEqual(
    { response, service, queueing },
    { response: [12, 6], service: [11, 6], queueing: [1, 0] },
  );
  assert.equal(timeline[0], 1);
});

test("the steady window is whole rounds of all chains until the last start", () => {
  const ends = Array.from({ length: 10 }, (_, i) => ({
    arrival: 10 * Math.max(i - 1, 0),
    end: 10 * (i + 1),
  }));
  assert.deepEqual(steady(ends.toReversed(), 2), { requests: ends.slice(4, 8), ns: 40, alive: 80 });
  assert.deepEqual(steady(ends.slice(0, 8), 2), { requests: ends.slice(4, 6), ns: 20, alive: 40 });
  assert.deepEqual(steady(ends.slice(0, 6), 2), { requests: [], ns: 0, alive: 0 });
});

test("the timeline is of the longest request, its own pieces first", () => {
  assert.deepEqual(timeline(REQUESTS, REQUESTS), [1, 1, 3, 1, 10, 12, 0, 0, 1, 0, 6, 8, 2, 8, 10]);
});

test("the timeline ends after 600 numbers", () => {
  const pieces = Array.from({ length: 1000 }, (_, at) => piece(at, at + 1));
  const requests = [{ arrival: 0, begin: 0, end: 1000, pieces }];
  assert.equal(timeline(requests, requests).length, 600);
});
