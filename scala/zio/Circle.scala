package programs

import harness.Outcome
import zio.*

/** A ring of queues with room for one, and the tasks that wait at them for a token. */
final class Circle(queues: Vector[Queue[Int]], players: List[Fiber[Throwable, Int]]):
  /** Passes the token round; at first it holds `nonce`. */
  def pass(nonce: Int): Task[Outcome] =
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
  private def play(tasks: Tasks, i: Int, inbox: Queue[Int], outbox: Queue[Int], rounds: Int): Task[Int] =
    def turn(received: Int): Task[Int] =
      if received == rounds then ZIO.succeed(received)
      else
        inbox.take.flatMap: token =>
          tasks.recording("run", i)(outbox.offer(token + 1).flatMap(_ => turn(received + 1)))
    turn(0)

  /** Returns when all k tasks are about to wait for the token. */
  def prepare(fibers: Fibers, k: Int, rounds: Int): Task[Circle] =
    for
      queues <- ZIO.foreach(Vector.range(0, k))(_ => Queue.bounded[Int](1))
      arrivals <- Arrivals.make(k)
      players <- ZIO.foreach(List.range(0, k)): i =>
        fibers.tasks.startResuming(i):
          arrivals.arrive *> play(fibers.tasks, i, queues(i), queues((i + 1) % k), rounds)
      _ <- arrivals.await
    yield Circle(queues, players)
