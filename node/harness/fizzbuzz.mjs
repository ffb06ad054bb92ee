// The step that fizzbuzz and fizzbuzz-sleep share.

function fizzbuzz(v) {
  if (v % 15 === 0) return "FizzBuzz";
  if (v % 5 === 0) return "Buzz";
  if (v % 3 === 0) return "Fizz";
  return String(v);
}

/** What one step adds to a task's sum; the text is consumed, so that it must be made. */
export function step(v) {
  const text = fizzbuzz(v);
  return 31 * text.length + text.charCodeAt(0);
}
