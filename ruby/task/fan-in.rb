# frozen_string_literal: true

require_relative "../harness/program"

ROOM = 128

def produce(value, m, queue)
  m.times { queue.push(value) }
end

# How many messages came, and their sum.
def consume(messages, queue)
  received = sum = 0
  while received < messages
    sum += queue.pop
    received += 1
  end
  [received, sum]
end

# Several producers send to one consumer through a bounded queue.
def fan_in(program)
  p, m, nonce = program[:p], program[:m], program.nonce
  queue = SizedQueue.new(ROOM)
  producers = Array.new(p) { |i| program.start(i) { produce(nonce + i + 1, m, queue) } }
  consumer = program.start(p) { consume(p * m, queue) }
  finished = producers.each(&:value).size
  messages, checksum = consumer.value
  finished += 1
  [messages, { finished: finished, messages: messages, checksum: checksum }]
end

Program.run("fan-in", { p: 1, m: 1 }) do |program|
  program.repeat { fan_in(program) }
end
