"""The crawler people run: a polite spider for whole sites, and what shows its progress."""
