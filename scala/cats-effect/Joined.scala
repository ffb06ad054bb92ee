package programs

import cats.effect.{FiberIO, IO}
import cats.syntax.all.*

/** How many tasks were joined, and the sum of what they returned. */
final case class Joined(finished: Int, checksum: Long):
  def and(result: Long): Joined = Joined(finished + 1, checksum + result)

object Joined:
  val none: Joined = Joined(0, 0)

/** Joins tasks in the order in which they were started. */
def join(tasks: List[FiberIO[Int]]): IO[Joined] =
  tasks.foldM(Joined.none)((joined, task) => task.joinWithNever.map(joined.and(_)))
