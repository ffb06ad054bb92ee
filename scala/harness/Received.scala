package programs

/** What a consumer got: messages, and the sum of them. */
final case class Received(messages: Int, sum: Long)
