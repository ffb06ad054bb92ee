# frozen_string_literal: true

# The task of hand-off and ring: takes the token, adds one and passes it on; returns how often it had it.
def play(i, inbox, outbox, rounds, trace)
  received = 0
  while received < rounds
    token = inbox.pop
    trace&.run(i)
    received += 1
    outbox.push(token + 1)
  end
  received
end

# A ring of players, one for each box; returns when all are about to wait at theirs.
def prepare(program, boxes, rounds)
  arrived = Queue.new
  players = boxes.each_with_index.map do |box, i|
    program.start_resuming(i) do
      arrived << i
      play(i, box, boxes[(i + 1) % boxes.size], rounds, program.trace)
    end
  end
  boxes.size.times { arrived.pop }
  [boxes, players]
end

# Gives the first player the token, joins them all, and takes the token that the last of them sent to the first.
def pass(program, (boxes, players))
  boxes[0].push(program.nonce)
  finished = messages = 0
  players.each do |player|
    messages += player.value
    finished += 1
  end
  [messages, { finished: finished, messages: messages, checksum: boxes[0].pop }]
end
