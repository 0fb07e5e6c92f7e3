"""What tools/compare/shards runs."""
