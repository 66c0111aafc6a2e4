"""Labelled near-duplicates made of clean texts, edited as reposts are: texts or whole pages."""
