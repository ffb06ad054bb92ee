// What the requests of mixed amount to: evidence, samples, and the timeline of the slowest. Times are in ns.

const MOST_NUMBERS = 600; // of a timeline

const response = ({ arrival, end }) => end - arrival;

export function evidenceOf(requests) {
  const pieces = requests.flatMap((request) => request.pieces);
  const total = (figure) => pieces.reduce((sum, piece) => sum + figure(piece), 0);
  return {
    finished: requests.filter(({ end }) => end > 0).length,
    pieces: pieces.length,
    asked_ns: total(({ asked }) => asked),
    worked_ns: total(({ worked }) => worked),
    most_alive: mostAlive(requests),
  };
}

export const seriesOf = (requests) => ({
  response: requests.map(response),
  service: requests.map(({ begin, end }) => end - begin),
  queueing: requests.map(({ arrival, begin }) => begin - arrival),
  timeline: timeline(requests),
});

/** The most requests between arrival and end; one that ends when another arrives is gone. */
export function mostAlive(requests) {
  const changes = requests.flatMap(({ arrival, end }) => [
    { at: arrival, by: 1 },
    { at: end, by: -1 },
  ]);
  changes.sort((a, b) => a.at - b.at || a.by - b.by);
  let alive = 0;
  let most = 0;
  for (const { by } of changes) {
    alive += by;
    most = Math.max(most, alive);
  }
  return most;
}

/**
 * The pieces that overlap the life of the request with the longest response, as triples (request, begin, end): its own first,
 * then those of the others in the order of their beginnings. Times count from its arrival.
 */
export function timeline(requests) {
  const slowest = requests.reduce((a, b) => (response(b) > response(a) ? b : a));
  const rows = requests.flatMap((request, i) =>
    request.pieces
      .filter(({ begin, end }) => end > slowest.arrival && begin < slowest.end)
      .map(({ begin, end }) => ({
        i,
        own: request === slowest,
        begin: Math.max(0, begin - slowest.arrival),
        end: end - slowest.arrival,
      })),
  );
  rows.sort((a, b) => b.own - a.own || a.begin - b.begin);
  return rows.flatMap(({ i, begin, end }) => [i, begin, end]).slice(0, MOST_NUMBERS);
}
