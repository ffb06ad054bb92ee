# frozen_string_literal: true

require_relative "../harness/program"

def produce(i, messages, queue, trace)
  messages.each do |message|
    queue.push(message)
    trace&.run(i)
  end
end

# How many messages came, and their sum. A queue that is closed and empty gives nil.
def consume(i, queue, trace)
  received = sum = 0
  while (message = queue.pop)
    trace&.run(i)
    received += 1
    sum += message
  end
  [received, sum]
end

# Several producers send to several consumers through one bounded queue.
def channel(program)
  p, m, nonce, trace = program[:p], program[:m], program.nonce, program.trace
  queue = SizedQueue.new(program[:b])
  producers = Array.new(p) do |i|
    first = nonce + (i * m)
    program.start(i) { produce(i, first...(first + m), queue, trace) }
  end
  consumers = Array.new(program[:c]) { |j| program.start(p + j) { consume(p + j, queue, trace) } }
  ended = producers.each(&:value).size
  queue.close
  counts, sums = consumers.map(&:value).transpose
  messages = counts.sum
  [messages, { finished: ended + counts.size, messages: messages, most: counts.max, checksum: sums.sum }]
end

Program.run("channel", { p: 1, c: 1, b: 1, m: 1 }) do |program|
  program.repeat { channel(program) }
end
