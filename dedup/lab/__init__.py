"""What measures the product and is no part of a crawl.

Schemes are evaluated on labelled pages, main text is compared with gold, edits and templates are
simulated.
"""
