package programs

import cats.effect.{Deferred, IO}
import cats.syntax.all.*
import harness.Outcome
import java.util.concurrent.atomic.AtomicInteger
import scala.concurrent.duration.*

/** Returns once the condition holds; looks every millisecond. */
def until(condition: => Boolean): IO[Unit] =
  IO(condition).ifM(IO.unit, IO.sleep(1.milli) *> IO.defer(until(condition)))

/** Parks n tasks, numbered from the nonce on, at one gate and holds the process still before, while and after they live. */
final class Parking(fibers: Fibers, opened: Deferred[IO, Unit]):
  private val parked = AtomicInteger()
  private val first = fibers.nonce

  /** Parks task i until the gate is opened, and returns `result` then. The task keeps one step for all that comes after it. */
  inline def await(i: Int)(inline result: Int): IO[Int] =
    fibers.tasks.recording("park", i):
      IO.defer:
        parked.incrementAndGet()
        opened.get.map: _ =>
          parked.decrementAndGet()
          result

  /** The tasks run `body`, which waits at the gate once and returns the number of the task. */
  def measure(n: Int)(body: Int => IO[Int]): IO[Outcome] =
    for
      _ <- hold("base")
      tasks <- List.range(first, first + n).traverse(i => fibers.tasks.start(i)(body(i)))
      created = tasks.size
      _ <- until(parked.get == n)
      _ <- hold("live")
      _ <- IO(System.gc())
      _ <- hold("live-collected")
      _ <- opened.complete(())
      joined <- join(tasks)
      _ <- hold("released")
      _ <- IO(System.gc())
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

  private def hold(point: String): IO[Unit] = fibers.hold(point, parked.get)

object Parking:
  /** The whole program of a memory workload. */
  def park(words: Array[String], workload: String)(body: (Int, Parking) => IO[Int]): Unit =
    run(words, workload, List("n")): fibers =>
      val n = fibers.arguments.integer("n", 1)
      for
        opened <- IO.deferred[Unit]
        parking = Parking(fibers, opened)
        _ <- fibers.once(parking.measure(n)(body(_, parking)))
      yield ()
