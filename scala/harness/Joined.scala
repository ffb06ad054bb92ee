package programs

/** How many tasks were joined, and the sum of what they returned. */
final case class Joined(finished: Int, checksum: Long):
  def and(result: Long): Joined = Joined(finished + 1, checksum + result)

object Joined:
  val none: Joined = Joined(0, 0)
