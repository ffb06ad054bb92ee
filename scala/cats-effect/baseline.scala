package programs

import cats.effect.IO
import harness.Outcome

object Baseline:
  private def body(i: Int): Int = i

  /** Calls a plain function n times and sums what it returns: the language without tasks. */
  private def call(n: Int, first: Int): Outcome =
    var finished = 0
    var checksum = 0L
    var i = first
    while i < first + n do
      checksum += body(i)
      finished += 1
      i += 1
    Outcome.of(finished, "finished", finished, "checksum", checksum)

  def main(words: Array[String]): Unit =
    run(words, "baseline", List("n")): fibers =>
      val n = fibers.arguments.integer("n", 1)
      fibers.repeat(IO(call(n, fibers.nonce)))
