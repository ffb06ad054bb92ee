package programs

import cats.effect.IO
import cats.syntax.all.*
import harness.Outcome

object Switch:
  /** Yields until the count of its resumes has come to `last`. Without trace=1 or count=1, which are never timed, nothing looks at them. */
  private def yields(fibers: Fibers, task: Int, count: Int, last: Int, switches: Option[Switches]): IO[Int] =
    if count == last then IO.pure(count)
    else
      IO.cede.flatMap: _ =>
        switches.foreach(_.resumed(task))
        fibers.tasks.recording("run", task)(yields(fibers, task, count + 1, last, switches))

  /** Lets k tasks yield m times each; they count from the nonce on. */
  private def switch(fibers: Fibers, k: Int, m: Int, count: Boolean): IO[Outcome] =
    val switches = Option.when(count)(Switches())
    val first = fibers.nonce
    for
      tasks <- List
        .range(0, k)
        .traverse: i =>
          fibers.tasks.startResuming(i):
            yields(fibers, i, first, first + m, switches)
      joined <- join(tasks)
    yield
      val resumes = joined.checksum - k.toLong * first
      val counted = switches.toList.flatMap(seen => List("true_switches", seen.count))
      val evidence = List("finished", joined.finished, "resumes", resumes, "checksum", joined.checksum)
      Outcome.of(resumes, (evidence ++ counted)*)

  def main(words: Array[String]): Unit =
    run(words, "switch", List("k", "m"), Set("count")): fibers =>
      val k = fibers.arguments.integer("k", 1)
      val m = fibers.arguments.integer("m", 1)
      val count = fibers.arguments.flag("count")
      fibers.repeat(switch(fibers, k, m, count))
