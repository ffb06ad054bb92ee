package programs

import harness.Outcome
import zio.*

object FanIn:
  private val Room = 128

  private def produce(value: Int, m: Int, queue: Queue[Int]): UIO[Unit] =
    if m == 0 then ZIO.unit else queue.offer(value).flatMap(_ => produce(value, m - 1, queue))

  private def consume(messages: Int, queue: Queue[Int]): UIO[Received] =
    def next(received: Int, sum: Long): UIO[Received] =
      if received == messages then ZIO.succeed(Received(received, sum))
      else queue.take.flatMap(message => next(received + 1, sum + message))
    next(0, 0)

  /** Several producers send to one consumer through a queue with room for 128. */
  private def fanIn(fibers: Fibers, p: Int, m: Int): Task[Outcome] =
    val first = fibers.nonce + 1
    for
      queue <- Queue.bounded[Int](Room)
      producers <- ZIO.foreach(List.range(0, p))(i => fibers.tasks.start(i)(produce(first + i, m, queue)))
      consumer <- fibers.tasks.start(p)(consume(p * m, queue))
      finished <- ZIO.foldLeft(producers)(0)((finished, producer) => producer.join.as(finished + 1))
      received <- consumer.join
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
