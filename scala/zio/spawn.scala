package programs

import harness.Outcome
import zio.*

object Spawn:
  /** Starts n tasks, numbered from the nonce on, then collects and sums what they return. */
  private def spawn(fibers: Fibers, n: Int): Task[Outcome] =
    val first = fibers.nonce
    for
      tasks <- ZIO.foreach(List.range(first, first + n))(i => fibers.tasks.start(i)(ZIO.succeed(i)))
      joined <- ZIO.foldLeft(tasks)(Joined.none): (joined, task) =>
        task.join.flatMap(i => fibers.tasks.recording("collect", i)(ZIO.succeed(joined.and(i))))
    yield Outcome.of(
      joined.finished,
      "created",
      tasks.size,
      "finished",
      joined.finished,
      "checksum",
      joined.checksum
    )

  def main(words: Array[String]): Unit =
    run(words, "spawn", List("n")): fibers =>
      val n = fibers.arguments.integer("n", 1)
      fibers.repeat(spawn(fibers, n))
