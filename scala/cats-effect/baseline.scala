package programs

import cats.effect.IO

object Baseline:
  def main(words: Array[String]): Unit =
    run(words, "baseline", List("n")): fibers =>
      val n = fibers.arguments.integer("n", 1)
      fibers.repeat(IO(Calls.call(n, fibers.nonce)))
