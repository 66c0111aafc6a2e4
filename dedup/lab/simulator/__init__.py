"""Labelled near-duplicates: clean texts edited like reposts, as texts or whole pages."""
