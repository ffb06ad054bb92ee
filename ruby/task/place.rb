# frozen_string_literal: true

# A queue of one's own with room for one, and one reader: between fibers, by what their scheduler offers.
class Place
  def push(token)
    raise FiberError, "a token lies in the place already" if @token

    @token = token
    return unless @reader

    Fiber.scheduler.unblock(self, @reader)
    @reader = nil
  end

  def pop
    until @token
      @reader = Fiber.current
      Fiber.yield
    end
    @token.tap { @token = nil }
  end
end
