"""Review of dropped pages: read drop logs, compare texts, sum up, and judge.

records -> differences | clusters | summary -> report | server
"""
