package programs

import zio.*

/** How many tasks were joined, and the sum of what they returned. */
final case class Joined(finished: Int, checksum: Long):
  def and(result: Long): Joined = Joined(finished + 1, checksum + result)

object Joined:
  val none: Joined = Joined(0, 0)

/** Joins tasks in the order in which they were started. */
def join(tasks: List[Fiber[Throwable, Int]]): Task[Joined] =
  ZIO.foldLeft(tasks)(Joined.none)((joined, task) => task.join.map(joined.and(_)))
