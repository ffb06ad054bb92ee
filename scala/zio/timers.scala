package programs

import harness.Outcome
import java.lang.System.nanoTime
import zio.*

object Timers:
  private val Spread = 1.second.toNanos

  private def sleepUntil(deadline: Long, number: Int): UIO[Woken] =
    ZIO.suspendSucceed(ZIO.sleep((deadline - nanoTime()).max(0).nanos)) *>
      ZIO.succeed(Woken(number, nanoTime() - deadline))

  /** n tasks sleep once, each until a deadline of its own within one second. */
  private def sleep(fibers: Fibers, n: Int, lead: Int, lateness: Array[Long]): Task[Outcome] =
    val start = nanoTime() + lead.millis.toNanos
    for
      tasks <- ZIO.foreach(List.range(0, n))(i => fibers.tasks.start(i)(sleepUntil(start + i * Spread / n, i)))
      woken <- ZIO.foreach(tasks)(_.join)
    yield Woken.outcome(tasks.size, woken, lateness)

  def main(words: Array[String]): Unit =
    run(words, "timers", List("n", "lead")): fibers =>
      val n = fibers.arguments.integer("n", 1)
      val lead = fibers.arguments.integer("lead", 0)
      val lateness = new Array[Long](n)
      fibers.once(sleep(fibers, n, lead, lateness)) *> ZIO.succeed(fibers.program.series("lateness", lateness))
