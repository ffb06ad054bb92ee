"""What can be measured: specs and manifests as immutable values."""
