"""The action that makes an empty store before the first crawl: create.

A crawl makes its store with a new seed. Stores that will be merged later must have the same seed.
This action makes a store with the seed of another store, or of an export.
"""

from __future__ import annotations

import argparse

from dedup.assembly import opened_store
from dedup.config import Config
from dedup.exchange.opening import config_of, find_seed
from dedup.scrapy.commands.context import Action, CommandError, Context
from dedup.scrapy.commands.exchange_sources import check_other
from dedup.store import StoreMissingError, is_address, show_store


def create(context: Context) -> int:
    """Make an empty store, with the seed of another store or with a new seed."""
    like = context.options.like
    config = config_of(context.stored().store, context.config)
    place = context.place(context.options.spider or "")
    seed = "its own" if config.takes_any_seed else "as set"
    if like:
        if is_address(like):
            check_other(like, config, context.root)
        config, seed = (
            config.with_seed(find_seed(config, like, context.root)),
            "that of " + show_store(like),
        )
    if _exists(config, context):
        raise CommandError(f"{place} is a store already; name another, or `scrapy neardup reset`")
    with opened_store(config, context.root, any_seed=True) as store:
        context.print_facts({"store": place, "seed": seed if store.seed else "none"})
    return 0


def _exists(config: Config, context: Context) -> bool:
    opening = opened_store(config, context.root, create=False, other_tables=True, any_seed=True)
    try:
        with opening:
            return True
    except StoreMissingError:
        return False


def _options(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "--like",
        metavar="SOURCE",
        help="take the seed of this store, named as in NEARDUP_STORE, or of this export",
    )


ACTIONS = (
    Action(
        "create",
        "make an empty store, perhaps with another's seed",
        _options,
        create,
        on_store=True,
    ),
)
