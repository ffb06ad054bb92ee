package programs

import harness.Outcome
import java.util.concurrent.atomic.AtomicInteger
import zio.*

object Cancel:
  /** Tasks that wait for what never comes. */
  private final class Crowd(fibers: Fibers):
    private val parked = AtomicInteger()
    private val cleaned = AtomicInteger()

    private def task(i: Int): Task[Unit] =
      fibers.tasks.recording("run", i):
        (ZIO.succeed(parked.incrementAndGet()) *> ZIO.never).ensuring:
          ZIO.succeed(cleaned.incrementAndGet()) *> fibers.tasks.add("done", i).when(fibers.tasks.on)

    /** Returns when all n wait. */
    def park(n: Int): Task[List[Fiber[Throwable, Unit]]] =
      ZIO.foreach(List.range(0, n))(i => fibers.tasks.startRecording(i)(task(i))) <*
        until(parked.get == n) <* ZIO.sleep(1.milli) // in which those that only gave way go on

    /** All are told before the first is waited for. */
    def cancel(tasks: List[Fiber[Throwable, Unit]]): Task[Outcome] =
      val waited = tasks.size - cleaned.get
      for
        _ <- ZIO.foreachDiscard(tasks)(_.interruptFork)
        finished <- ZIO.foldLeft(tasks)(0)((finished, task) =>
          task.await.map(end => if end.isInterrupted then finished + 1 else finished)
        )
      yield Outcome.of(finished, "created", waited, "cancelled", cleaned.get, "finished", finished)

  /** n parked tasks are cancelled, clean up and are joined. */
  def main(words: Array[String]): Unit =
    run(words, "cancel", List("n")): fibers =>
      val n = fibers.arguments.integer("n", 1)
      def prepare =
        val crowd = Crowd(fibers)
        crowd.park(n).map(tasks => crowd.cancel(tasks))
      fibers.hold("base", 0) *> fibers.repeatAfter(prepare)(identity) *> fibers.hold("released", 0)
