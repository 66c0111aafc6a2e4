"""Looking back at what was dropped: drop logs read, compared, summed up and judged.

records -> differences | clusters | summary -> report | server
"""
