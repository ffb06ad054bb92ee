package programs

object Ring:
  def main(words: Array[String]): Unit =
    run(words, "ring", List("k", "rounds")): fibers =>
      val k = fibers.arguments.integer("k", 1)
      val rounds = fibers.arguments.integer("rounds", 1)
      fibers.repeatAfter(Circle.prepare(fibers, k, rounds))(_.pass(fibers.nonce))
