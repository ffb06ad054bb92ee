package programs

import harness.Outcome
import java.util.concurrent.TimeUnit.MILLISECONDS

/** The number of a task, and how many nanoseconds after its deadline it went on. */
final case class Woken(number: Int, late: Long)

object Woken:
  private val Early = MILLISECONDS.toNanos(1)

  /** The outcome of timers, whose lateness goes into `lateness`. */
  def outcome(created: Int, woken: List[Woken], lateness: Array[Long]): Outcome =
    for (one, i) <- woken.zipWithIndex do lateness(i) = one.late.max(0)
    Outcome.of(
      woken.size,
      "created",
      created,
      "finished",
      woken.size,
      "checksum",
      woken.map(_.number.toLong).sum,
      "early",
      woken.count(_.late < -Early)
    )
