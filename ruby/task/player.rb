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

# Joins the players, and takes the token that the last of them sent to the first.
def joined(players, box)
  finished = messages = 0
  players.each do |player|
    messages += player.value
    finished += 1
  end
  [messages, { finished: finished, messages: messages, checksum: box.pop }]
end
