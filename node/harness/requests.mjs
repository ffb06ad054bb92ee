// What the requests of mixed amount to: evidence, samples, and the timeline of the slowest. Times are in ns.

const MOST_NUMBERS = 600; // of a timeline

const response = ({ arrival, end }) => end - arrival;

/**
 * The requests that ended in whole rounds of all chains, up to the end that started the last request and without the first
 * ends, one for each chain; in the order of their ends, how long that took, and how long all requests together were between
 * arrival and end meanwhile. Every chain was busy all that time, and no longer in step with the others, as all were when they
 * began.
 */
export function steady(requests, chains) {
  const ended = requests.toSorted((a, b) => a.end - b.end);
  const last = ended.length - chains - 1;
  const first = chains + (last % chains); // the end with which the window opens
  if (last <= first) return { requests: [], ns: 0, alive: 0 };
  const [opens, closes] = [ended[first].end, ended[last].end];
  const inside = ({ arrival, end }) =>
    Math.max(0, Math.min(end, closes) - Math.max(arrival, opens));
  const alive = requests.reduce((sum, request) => sum + inside(request), 0);
  return { requests: ended.slice(first + 1, last + 1), ns: closes - opens, alive };
}

/** Whole nanoseconds: the clock's are fractions of a millisecond, whose differences need not come out even. */
export function evidenceOf(requests, window) {
  const pieces = requests.flatMap((request) => request.pieces);
  const total = (figure) => pieces.reduce((sum, piece) => sum + figure(piece), 0);
  return {
    finished: requests.filter(({ end }) => end > 0).length,
    pieces: pieces.length,
    asked_ns: total(({ asked }) => asked),
    worked_ns: total(({ worked }) => worked),
    most_alive: mostAlive(requests),
    steady_ops: window.requests.length,
    steady_ns: Math.round(window.ns),
    steady_alive_ns: Math.round(window.alive),
  };
}

/** Response, service and queueing times of the window's requests, and all pieces during the longest of these. */
export const seriesOf = (requests, window) => ({
  response: window.requests.map(response),
  service: window.requests.map(({ begin, end }) => end - begin),
  queueing: window.requests.map(({ arrival, begin }) => begin - arrival),
  timeline: timeline(requests, window.requests),
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
 * The pieces that overlap the life of the longest of some requests, as triples (request, begin, end): its own first,
 * then those of the others in the order of their beginnings. Times count from its arrival.
 */
export function timeline(requests, among) {
  if (among.length === 0) return [];
  const slowest = among.reduce((a, b) => (response(b) > response(a) ? b : a));
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
