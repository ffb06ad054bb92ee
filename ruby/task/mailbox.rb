# frozen_string_literal: true

# A queue of one's own with room for one, and one reader: by a condition variable.
class Mailbox
  def initialize
    @lock = Mutex.new
    @filled = ConditionVariable.new
  end

  def push(token)
    @lock.synchronize do
      raise ThreadError, "a token lies in the mailbox already" if @token

      @token = token
      @filled.signal
    end
  end

  def pop
    @lock.synchronize do
      @filled.wait(@lock) until @token
      @token.tap { @token = nil }
    end
  end
end
