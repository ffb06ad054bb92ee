package programs

import harness.Outcome
import java.util.concurrent.atomic.AtomicInteger
import zio.*

/** Returns once the condition holds; looks every millisecond. */
def until(condition: => Boolean): UIO[Unit] =
  ZIO.suspendSucceed(if condition then ZIO.unit else ZIO.sleep(1.milli) *> until(condition))

/** Parks n tasks, numbered from the nonce on, at one gate and holds the process still before, while and after they live. */
final class Parking(fibers: Fibers, opened: Promise[Nothing, Unit]):
  private val parked = AtomicInteger()
  private val first = fibers.nonce

  /** Parks task i until the gate is opened, and returns `result` then. The task keeps one step for all that comes after it. */
  inline def await(i: Int)(inline result: Int): Task[Int] =
    fibers.tasks.recording("park", i):
      ZIO.suspendSucceed:
        parked.incrementAndGet()
        opened.await.map: _ =>
          parked.decrementAndGet()
          result

  /** The tasks run `body`, which waits at the gate once and returns the number of the task. */
  def measure(n: Int)(body: Int => Task[Int]): Task[Outcome] =
    for
      _ <- hold("base")
      tasks <- ZIO.foreach(List.range(first, first + n))(i => fibers.tasks.start(i)(body(i)))
      created = tasks.size
      _ <- until(parked.get == n)
      _ <- hold("live")
      _ <- ZIO.succeed(java.lang.System.gc())
      _ <- hold("live-collected")
      _ <- opened.succeed(())
      joined <- join(tasks)
      _ <- hold("released")
      _ <- ZIO.succeed(java.lang.System.gc())
      _ <- hold("released-collected")
    yield Outcome.of(
      joined.finished,
      "created",
      created,
      "finished",
      joined.finished,
      "checksum",
      joined.checksum
    )

  private def hold(point: String): Task[Unit] = fibers.hold(point, parked.get)

object Parking:
  /** The whole program of a memory workload. */
  def park(words: Array[String], workload: String)(body: (Int, Parking) => Task[Int]): Unit =
    run(words, workload, List("n")): fibers =>
      val n = fibers.arguments.integer("n", 1)
      for
        opened <- Promise.make[Nothing, Unit]
        parking = Parking(fibers, opened)
        _ <- fibers.once(parking.measure(n)(body(_, parking)))
      yield ()
