# frozen_string_literal: true

# Compiles every file with all of the interpreter's warnings, and fails where there is one.
require "stringio"

$VERBOSE = true
$stderr = StringIO.new
Dir.glob(File.join(__dir__, "../**/*.rb")).each { |file| RubyVM::InstructionSequence.compile_file(file) }
told = $stderr.string
$stderr = STDERR
abort(told) unless told.empty?
