"""What a program owes the runner."""
