package programs

import cats.effect.IO
import cats.syntax.all.*
import harness.Outcome
import scala.concurrent.duration.*

object Timers:
  private val Spread = 1.second.toNanos

  private def sleepUntil(deadline: Long, number: Int): IO[Woken] =
    IO.defer(IO.sleep((deadline - System.nanoTime()).max(0).nanos)) *>
      IO(Woken(number, System.nanoTime() - deadline))

  /** n tasks sleep once, each until a deadline of its own within one second. */
  private def sleep(fibers: Fibers, n: Int, lead: Int, lateness: Array[Long]): IO[Outcome] =
    val start = System.nanoTime() + lead.millis.toNanos
    for
      tasks <- List.range(0, n).traverse(i => fibers.tasks.start(i)(sleepUntil(start + i * Spread / n, i)))
      woken <- tasks.traverse(_.joinWithNever)
    yield Woken.outcome(tasks.size, woken, lateness)

  def main(words: Array[String]): Unit =
    run(words, "timers", List("n", "lead")): fibers =>
      val n = fibers.arguments.integer("n", 1)
      val lead = fibers.arguments.integer("lead", 0)
      val lateness = new Array[Long](n)
      fibers.once(sleep(fibers, n, lead, lateness)) *> IO(fibers.program.series("lateness", lateness))
