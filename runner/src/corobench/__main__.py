"""`python -m corobench`."""

from corobench.cli import main

main()
