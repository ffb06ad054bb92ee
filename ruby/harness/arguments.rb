# frozen_string_literal: true

# A wrong command line; the message says what is wrong with it.
class UsageError < StandardError
end

# The key=value words of the command line. A rule is the least value of a required integer, or the words that are known.
class Arguments
  SHARED = { iterations: [1, 1], min_warm_ms: [0, 0], trace: [0, 0], nonce: [0, 0] }.freeze # the least value and the default

  attr_reader :params

  def initialize(words, rules, flags: [])
    @rules = rules
    @flags = [*flags, :trace]
    given = pairs(words)
    missing = rules.keys.find { |key| !given.key?(key) }
    raise UsageError, "#{missing} is missing" if missing

    @values = given.to_h { |key, text| [key, read(key, text)] }
    @params = @values.slice(*rules.keys)
  end

  # The value of a key; a flag or a key of the harness has a default.
  def [](key)
    @values.fetch(key) { SHARED.key?(key) ? SHARED[key].last : 0 }
  end

  private

  def pairs(words)
    words.each_with_object({}) do |word, given|
      name, sign, text = word.partition("=")
      key = name.to_sym
      raise UsageError, "#{word.inspect} is not key=value" if sign.empty?
      raise UsageError, "unknown key #{name}" unless [*@rules.keys, *@flags, *SHARED.keys].include?(key)
      raise UsageError, "#{name} is given twice" if given.key?(key)

      given[key] = text
    end
  end

  def read(key, text)
    rule = @rules.fetch(key) { SHARED.fetch(key, [0]).first }
    return word(key, text, rule) if rule.is_a?(Array)

    value = Integer(text, 10, exception: false)
    raise UsageError, "#{key}=#{text} must be an integer of at least #{rule}" if value.nil? || value < rule
    raise UsageError, "#{key}=#{text} must be 0 or 1" if @flags.include?(key) && value > 1

    value
  end

  def word(key, text, known)
    raise UsageError, "#{key}=#{text} must be one of #{known.join(', ')}" unless known.include?(text)

    text
  end
end
