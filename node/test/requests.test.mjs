// What the requests of mixed amount to.
import assert from "node:assert/strict";
import { test } from "node:test";
import { evidenceOf, seriesOf, timeline } from "../harness/requests.mjs";

const piece = (begin, end, worked = 2) => ({ begin, end, asked: 2, worked });

/** Two requests that overlap, and one that comes when the first has ended. */
const REQUESTS = [
  { arrival: 0, begin: 1, end: 10, pieces: [piece(1, 3), piece(8, 10, 1)] },
  { arrival: 2, begin: 3, end: 14, pieces: [piece(3, 5), piece(12, 14)] },
  { arrival: 10, begin: 10, end: 16, pieces: [piece(10, 12, 3), piece(14, 16)] },
];

test("evidence is counted from the requests", () => {
  const counted = { finished: 3, pieces: 6, asked_ns: 12, worked_ns: 12, most_alive: 2 };
  assert.deepEqual(evidenceOf(REQUESTS), counted);
});

test("samples are in the order of arrival", () => {
  const { response, service, queueing } = seriesOf(REQUESTS);
  assert.deepEqual(
    { response, service, queueing },
    {
      response: [10, 12, 6],
      service: [9, 11, 6],
      queueing: [1, 1, 0],
    },
  );
});

test("the timeline is of the longest request, its own pieces first", () => {
  assert.deepEqual(timeline(REQUESTS), [1, 1, 3, 1, 10, 12, 0, 0, 1, 0, 6, 8, 2, 8, 10]);
});

test("the timeline ends after 600 numbers", () => {
  const pieces = Array.from({ length: 1000 }, (_, at) => piece(at, at + 1));
  assert.equal(timeline([{ arrival: 0, begin: 0, end: 1000, pieces }]).length, 600);
});
