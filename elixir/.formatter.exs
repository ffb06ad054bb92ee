[inputs: ["harness/*.ex", "task/**/*.ex", "test/*.exs"], line_length: 140]
