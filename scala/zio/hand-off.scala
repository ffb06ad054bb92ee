package programs

object HandOff:
  /** Two tasks pass a token to and fro, m times each, through queues with room for one: a ring of two. */
  def main(words: Array[String]): Unit =
    run(words, "hand-off", List("m")): fibers =>
      val m = fibers.arguments.integer("m", 1)
      fibers.repeatAfter(Circle.prepare(fibers, 2, m))(_.pass(fibers.nonce))
