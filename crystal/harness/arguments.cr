# Reads key=value words against rules, and names precisely what is wrong with them.
module Arguments
  # A wrong command line.
  class Usage < Exception
  end

  # The least value of an integer, or the words that it may be.
  alias Rule = Int64 | Array(String)
  alias Value = Int64 | String

  # The least value and the default of the keys that every workload understands.
  SHARED = {"iterations" => {1_i64, 1_i64}, "min_warm_ms" => {0_i64, 0_i64}, "trace" => {0_i64, 0_i64}, "nonce" => {0_i64, 0_i64}}

  # The values of all keys; flags are keys that may be left out.
  def self.parse(words : Array(String), rules : Hash(String, Rule), flags = [] of String) : Hash(String, Value)
    flags += ["trace"]
    values = {} of String => Value
    words.each do |given|
      key, separator, text = given.partition('=')
      raise Usage.new("#{given.inspect} is not key=value") if separator.empty?
      raise Usage.new("#{key} is given twice") if values.has_key?(key)
      rule = rules[key]? || SHARED[key]?.try(&.[0]) || (flags.includes?(key) ? 0_i64 : raise Usage.new("unknown key #{key}"))
      values[key] = rule.is_a?(Int64) ? integer(key, text, rule, flags.includes?(key)) : word(key, text, rule)
    end
    rules.each_key { |key| values.has_key?(key) || raise Usage.new("#{key} is missing") }
    SHARED.each { |key, rule| values[key] = rule[1] unless values.has_key?(key) }
    flags.each { |key| values[key] = 0_i64 unless values.has_key?(key) }
    values
  end

  private def self.integer(key, text, least, flag) : Int64
    value = text.matches?(/\A\d+\z/) ? text.to_i64? : nil
    raise Usage.new("#{key}=#{text} must be an integer of at least #{least}") if value.nil? || value < least
    raise Usage.new("#{key}=#{text} must be 0 or 1") if flag && value > 1
    value
  end

  private def self.word(key, text, known) : String
    raise Usage.new("#{key}=#{text} must be one of #{known.join(", ")}") unless known.includes?(text)
    text
  end
end
