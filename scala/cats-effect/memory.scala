package programs

object Memory:
  /** Parks n tasks that hold nothing but their number. */
  def main(words: Array[String]): Unit =
    Parking.park(words, "memory")((i, gate) => gate.await(i)(i))
