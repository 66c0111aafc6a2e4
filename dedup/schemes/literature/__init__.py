"""Schemes of the literature, to compare with: no crawl uses one unless it is chosen."""
