package programs

import cats.effect.IO
import harness.StartupReport

object Startup:
  private def firstTask(): Int = IO.pure(1).start.flatMap(_.joinWithNever).unsafeRunSync()(using newRuntime())

  private def perform(mode: String): Int =
    if mode == "bare" then 0
    else
      if firstTask() != 1 then throw IllegalStateException("the task did not return 1")
      1

  /** The smallest process, or one task. The harness is loaded only for the report, which verify asks for. */
  def main(words: Array[String]): Unit = words match
    case Array("mode=bare")       => ()
    case Array("mode=first-task") => val _ = perform("first-task")
    case _                        => StartupReport.run(words, version, () => settings(newRuntime()), mode => perform(mode))
