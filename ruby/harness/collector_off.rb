# frozen_string_literal: true

# Required by the variant without a collector, before the program.
GC.disable
