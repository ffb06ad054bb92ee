# frozen_string_literal: true

require "socket"
require_relative "../harness/program"

# How many bytes came back.
def ask(socket, m)
  received = 0
  m.times do
    socket.write("x")
    received += socket.readpartial(1).bytesize
  end
  received
end

# How many bytes came, and were sent back.
def answer(socket, m)
  received = 0
  m.times do
    byte = socket.readpartial(1)
    received += byte.bytesize
    socket.write(byte)
  end
  received
end

# Two tasks pass a byte to and fro over a socket pair.
def alternate(program, left, right)
  tasks = [program.start(0) { ask(left, program[:m]) }, program.start(1) { answer(right, program[:m]) }]
  finished = messages = 0
  tasks.each do |task|
    messages += task.value
    finished += 1
  end
  [messages / 2, { finished: finished, messages: messages }]
end

Program.run("io-switch", { m: 1 }) do |program|
  left, right = UNIXSocket.pair
  program.repeat { alternate(program, left, right) }
end
