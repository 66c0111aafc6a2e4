"""``scrapy neardup``: placeholder until filled below."""

from scrapy.commands import ScrapyCommand


class Command(ScrapyCommand):
    def short_desc(self) -> str:
        return "Near-duplicates"

    def run(self, args, opts):  # type: ignore[no-untyped-def]
        pass
