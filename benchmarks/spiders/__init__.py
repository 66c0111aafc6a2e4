"""The spiders whose crawls are measured."""
