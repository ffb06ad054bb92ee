package programs

import harness.{Outcome, UsageException}
import zio.*

object Tree:
  private val Children = 10

  private def node(tasks: Tasks, first: Long, size: Int): Task[Sum] =
    if size == 1 then ZIO.succeed(Sum(1, first))
    else
      val share = size / Children
      ZIO
        .foreach(List.range(0, Children)): i =>
          tasks.startNext(ZIO.suspend(node(tasks, first + i.toLong * share, share)))
        .flatMap(ZIO.foldLeft(_)(Sum(1, 0))((sum, child) => child.join.map(sum.and)))

  /** A task for a range of leaves, which are counted from the nonce on, starts ten for the tenths of it, down to a task for each leaf. */
  private def grow(fibers: Fibers, n: Int): Task[Outcome] =
    for
      root <- fibers.tasks.startNext(node(fibers.tasks, fibers.nonce, n))
      sum <- root.join
    yield Outcome.of(sum.tasks, "finished", sum.tasks, "checksum", sum.leaves)

  def main(words: Array[String]): Unit =
    run(words, "tree", List("n")): fibers =>
      val n = fibers.arguments.integer("n", 1)
      if !n.toString.matches("10*") then throw UsageException(s"n=$n: must be a power of ten")
      fibers.repeat(grow(fibers, n))
