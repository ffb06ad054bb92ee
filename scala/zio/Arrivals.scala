package programs

import java.util.concurrent.atomic.AtomicInteger
import zio.*

/** Tells whoever waits for it when as many tasks as were expected have arrived. */
final class Arrivals private (missing: AtomicInteger, all: Promise[Nothing, Unit]):
  val arrive: UIO[Unit] = ZIO.suspendSucceed:
    if missing.decrementAndGet() == 0 then all.succeed(()).unit else ZIO.unit

  val await: UIO[Unit] = all.await

object Arrivals:
  def make(expected: Int): UIO[Arrivals] = Promise.make[Nothing, Unit].map(Arrivals(AtomicInteger(expected), _))
