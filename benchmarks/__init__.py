"""Benchmarks on real pages: what is found, what is dropped wrongly, and how long it takes."""
