package programs

import cats.effect.IO
import cats.syntax.all.*
import harness.{Outcome, UsageException}

object Tree:
  private val Children = 10

  private def node(tasks: Tasks, first: Long, size: Int): IO[Sum] =
    if size == 1 then IO.pure(Sum(1, first))
    else
      val share = size / Children
      List
        .range(0, Children)
        .traverse(i => tasks.startNext(IO.defer(node(tasks, first + i.toLong * share, share))))
        .flatMap(_.foldM(Sum(1, 0))((sum, child) => child.joinWithNever.map(sum.and)))

  /** A task for a range of leaves, which are counted from the nonce on, starts ten for the tenths of it, down to a task for each leaf. */
  private def grow(fibers: Fibers, n: Int): IO[Outcome] =
    for
      root <- fibers.tasks.startNext(node(fibers.tasks, fibers.nonce, n))
      sum <- root.joinWithNever
    yield Outcome.of(sum.tasks, "finished", sum.tasks, "checksum", sum.leaves)

  def main(words: Array[String]): Unit =
    run(words, "tree", List("n")): fibers =>
      val n = fibers.arguments.integer("n", 1)
      if !n.toString.matches("10*") then throw UsageException(s"n=$n: must be a power of ten")
      fibers.repeat(grow(fibers, n))
