package programs

import cats.effect.{FiberIO, IO}
import cats.effect.std.{CountDownLatch, Queue}
import cats.syntax.all.*
import harness.Outcome

/** A ring of queues with room for one, and the tasks that wait at them for a token. */
final class Circle(queues: Vector[Queue[IO, Int]], players: List[FiberIO[Int]]):
  /** Passes the token round; at first it holds `nonce`. */
  def pass(nonce: Int): IO[Outcome] =
    for
      _ <- queues(0).offer(nonce)
      joined <- join(players)
      token <- queues(0).take // the last task sent it once more than task 0 received it
    yield Outcome.of(
      joined.checksum,
      "finished",
      joined.finished,
      "messages",
      joined.checksum,
      "checksum",
      token
    )

object Circle:
  /** Receives the token, adds one and sends it on, and returns how often it had it. */
  private def play(tasks: Tasks, i: Int, inbox: Queue[IO, Int], outbox: Queue[IO, Int], rounds: Int): IO[Int] =
    def turn(received: Int): IO[Int] =
      if received == rounds then IO.pure(received)
      else
        inbox.take.flatMap: token =>
          tasks.recording("run", i)(outbox.offer(token + 1).flatMap(_ => turn(received + 1)))
    turn(0)

  /** Returns when all k tasks are about to wait for the token. */
  def prepare(fibers: Fibers, k: Int, rounds: Int): IO[Circle] =
    for
      queues <- Vector.fill(k)(Queue.bounded[IO, Int](1)).sequence
      arrivals <- CountDownLatch[IO](k)
      players <- List
        .range(0, k)
        .traverse: i =>
          fibers.tasks.startResuming(i):
            arrivals.release *> play(fibers.tasks, i, queues(i), queues((i + 1) % k), rounds)
      _ <- arrivals.await
    yield Circle(queues, players)
