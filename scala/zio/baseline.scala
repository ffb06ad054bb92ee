package programs

import zio.*

object Baseline:
  def main(words: Array[String]): Unit =
    run(words, "baseline", List("n")): fibers =>
      val n = fibers.arguments.integer("n", 1)
      fibers.repeat(ZIO.succeed(Calls.call(n, fibers.nonce)))
