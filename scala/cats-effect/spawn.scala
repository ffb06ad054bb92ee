package programs

import cats.effect.IO
import cats.syntax.all.*
import harness.Outcome

object Spawn:
  /** Starts n tasks, numbered from the nonce on, then collects and sums what they return. */
  private def spawn(fibers: Fibers, n: Int): IO[Outcome] =
    val first = fibers.nonce
    for
      tasks <- List.range(first, first + n).traverse(i => fibers.tasks.start(i)(IO.pure(i)))
      joined <- tasks.foldM(Joined.none): (joined, task) =>
        task.joinWithNever.flatMap(i => fibers.tasks.recording("collect", i)(IO.pure(joined.and(i))))
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
