"""Schemes of the literature, for comparison; a crawl uses one only if it is chosen."""
