package programs

import harness.Outcome

object Calls:
  private def body(i: Int): Int = i

  /** Calls a plain function n times and sums what it returns: the language without tasks. */
  def call(n: Int, first: Int): Outcome =
    var finished = 0
    var checksum = 0L
    var i = first
    while i < first + n do
      checksum += body(i)
      finished += 1
      i += 1
    Outcome.of(finished, "finished", finished, "checksum", checksum)
