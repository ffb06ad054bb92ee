package programs

import harness.Outcome
import zio.*

object SpawnChain:
  /** Tasks are numbered from the nonce on. Each starts the next as its last act; the root waits for the last one only. */
  private final class Chain(fibers: Fibers, n: Int, ended: Promise[Nothing, Unit]):
    private val first = fibers.nonce
    private val end = first + n

    // Starting a fiber happens before its first action, so that these need no lock.
    private var finished = 0
    private var checksum = 0L

    /** The end of a task is recorded before it starts the next, because both may run at once. */
    private def link(i: Int): Task[Unit] =
      fibers.tasks.recording("run", i):
        ZIO.suspend:
          checksum += i
          finished += 1
          fibers.tasks.recording("done", i):
            if i + 1 < end then fibers.tasks.startDaemon(i + 1)(link(i + 1)).unit
            else ended.succeed(()).unit

    def measure: Task[Outcome] =
      fibers.tasks.startDaemon(first)(link(first)) *> ended.await *>
        ZIO.succeed(Outcome.of(finished, "finished", finished, "checksum", checksum))

  def main(words: Array[String]): Unit =
    run(words, "spawn-chain", List("n")): fibers =>
      val n = fibers.arguments.integer("n", 1)
      fibers.repeat(Promise.make[Nothing, Unit].flatMap(Chain(fibers, n, _).measure))
