package programs

import cats.effect.{Deferred, IO}
import harness.Outcome

object SpawnChain:
  /** Tasks are numbered from the nonce on. Each starts the next as its last act; the root waits for the last one only. */
  private final class Chain(fibers: Fibers, n: Int, ended: Deferred[IO, Unit]):
    private val first = fibers.nonce
    private val end = first + n

    // Starting a fiber happens before its first action, so that these need no lock.
    private var finished = 0
    private var checksum = 0L

    /** The end of a task is recorded before it starts the next, because both may run at once. */
    private def link(i: Int): IO[Unit] =
      fibers.tasks.recording("run", i):
        IO.defer:
          checksum += i
          finished += 1
          fibers.tasks.recording("done", i):
            if i + 1 < end then fibers.tasks.startRecording(i + 1)(link(i + 1)).void
            else ended.complete(()).void

    def measure: IO[Outcome] =
      fibers.tasks.startRecording(first)(link(first)) *> ended.get *>
        IO(Outcome.of(finished, "finished", finished, "checksum", checksum))

  def main(words: Array[String]): Unit =
    run(words, "spawn-chain", List("n")): fibers =>
      val n = fibers.arguments.integer("n", 1)
      fibers.repeat(IO.deferred[Unit].flatMap(Chain(fibers, n, _).measure))
