package coroutine

/** What a consumer got: messages, and the sum of them. */
class Received(
    val messages: Int,
    val sum: Long,
)
