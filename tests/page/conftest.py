from both_ways import steps  # noqa: F401
