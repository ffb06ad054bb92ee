package programs

import cats.effect.{FiberIO, IO}
import cats.syntax.all.*
import harness.Outcome
import java.util.concurrent.atomic.AtomicInteger
import scala.concurrent.duration.*

object Cancel:
  /** Tasks that wait for what never comes. */
  private final class Crowd(fibers: Fibers):
    private val parked = AtomicInteger()
    private val cleaned = AtomicInteger()

    private def task(i: Int): IO[Unit] =
      fibers.tasks.recording("run", i):
        (IO(parked.incrementAndGet()) *> IO.never[Unit]).guarantee:
          IO(cleaned.incrementAndGet()).flatMap(_ => fibers.tasks.recording("done", i)(IO.unit))

    /** Returns when all n wait. */
    def park(n: Int): IO[List[FiberIO[Unit]]] =
      List.range(0, n).traverse(i => fibers.tasks.startRecording(i)(task(i))) <*
        until(parked.get == n) <* IO.sleep(1.milli) // in which those that only gave way go on

    /** A cancel returns when the clean-up is over; the join after it tells how the task ended. */
    def cancel(tasks: List[FiberIO[Unit]]): IO[Outcome] =
      val waited = tasks.size - cleaned.get
      for
        _ <- tasks.traverse_(_.cancel)
        finished <- tasks.foldM(0)((finished, task) => task.join.map(end => if end.isCanceled then finished + 1 else finished))
      yield Outcome.of(finished, "created", waited, "cancelled", cleaned.get, "finished", finished)

  /** n parked tasks are cancelled, clean up and are joined. */
  def main(words: Array[String]): Unit =
    run(words, "cancel", List("n")): fibers =>
      val n = fibers.arguments.integer("n", 1)
      def prepare =
        val crowd = Crowd(fibers)
        crowd.park(n).map(tasks => crowd.cancel(tasks))
      fibers.hold("base", 0) *> fibers.repeatAfter(prepare)(identity) *> fibers.hold("released", 0)
