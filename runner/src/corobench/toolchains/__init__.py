"""Compilers, interpreters and environments: found, provisioned, built."""
