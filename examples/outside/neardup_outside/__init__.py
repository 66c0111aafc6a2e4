"""A store, a scheme and an extractor for scrapy-neardup, each in one file."""
