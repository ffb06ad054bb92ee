"""One file a kind of page: what it shows, from values to bytes."""
