package programs

import cats.effect.IO
import cats.effect.std.Queue
import cats.syntax.all.*
import harness.Outcome

object FanIn:
  private val Room = 128

  private def produce(value: Int, m: Int, queue: Queue[IO, Int]): IO[Unit] =
    if m == 0 then IO.unit else queue.offer(value).flatMap(_ => produce(value, m - 1, queue))

  private def consume(messages: Int, queue: Queue[IO, Int]): IO[Received] =
    def next(received: Int, sum: Long): IO[Received] =
      if received == messages then IO.pure(Received(received, sum))
      else queue.take.flatMap(message => next(received + 1, sum + message))
    next(0, 0)

  /** Several producers send to one consumer through a queue with room for 128. */
  private def fanIn(fibers: Fibers, p: Int, m: Int): IO[Outcome] =
    val first = fibers.nonce + 1
    for
      queue <- Queue.bounded[IO, Int](Room)
      producers <- List.range(0, p).traverse(i => fibers.tasks.start(i)(produce(first + i, m, queue)))
      consumer <- fibers.tasks.start(p)(consume(p * m, queue))
      finished <- producers.foldM(0)((finished, producer) => producer.joinWithNever.as(finished + 1))
      received <- consumer.joinWithNever
    yield Outcome.of(
      received.messages,
      "finished",
      finished + 1,
      "messages",
      received.messages,
      "checksum",
      received.sum
    )

  def main(words: Array[String]): Unit =
    run(words, "fan-in", List("p", "m")): fibers =>
      val p = fibers.arguments.integer("p", 1)
      val m = fibers.arguments.integer("m", 1)
      fibers.repeat(fanIn(fibers, p, m))
