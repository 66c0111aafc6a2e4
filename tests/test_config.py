"""Every setting: its values as they are written in Python and on the command line, and bad ones."""

from __future__ import annotations

import os
import subprocess
import sys
from dataclasses import fields
from pathlib import Path
from typing import Any

import pytest
from scrapy.settings import Settings

from dedup import Config
from dedup.config import MOST_INLINE
from dedup.verdict import DROPPED, Relation

# setting, value as given, value as read
GOOD: list[tuple[str, Any, Any]] = [
    ("ENABLED", "False", False),
    ("ENABLED", "1", True),
    ("ENABLED", False, False),
    ("ACTION", "tag", "tag"),
    ("SCHEME", "simhash", "simhash"),
    ("SCHEME", " simhash:bits=128 ", "simhash:bits=128"),
    ("DISTANCE", "0", 0),
    ("DISTANCE", " 7 ", 7),
    ("ITEMS", "page", "page"),
    ("CHANGING_FIELDS", "stock, seats", ("stock", "seats")),
    ("FACT_FIELDS", ["points"], ("points",)),
    ("DROP", "equal", frozenset((Relation.EQUAL,))),
    ("DROP", " grown , overlap,", frozenset((Relation.GROWN, Relation.OVERLAP))),
    ("DROP", ["edited", Relation.VARIANT], frozenset((Relation.EDITED, Relation.VARIANT))),
    ("DROP", [], frozenset()),
    ("MAX_NEW", "0.5", 0.5),
    ("MAX_NEW", 1, 1.0),
    ("HASH_SEED", str(2**64 - 1), 2**64 - 1),
    ("EXTRACTOR", "readability", "readability"),
    ("EXTRACTOR", "plain", "plain"),
    ("SEGMENTER", "chars", "chars"),
    ("MIN_TOKENS", "100", 100),
    ("SCOPE", "host", "host"),
    ("LAYOUT", "16", "16"),
    ("STORE", "memory:", "memory:"),
    ("STORE", " leveldb:/var/pages ", "leveldb:/var/pages"),
    (
        "STORE",
        "redis://me:secret@db.example:7000/2?prefix=news",
        "redis://me:secret@db.example:7000/2?prefix=news",
    ),
    ("STORE", "redis+cluster://one:7000,two:7001", "redis+cluster://one:7000,two:7001"),
    ("STORE", "unix:///run/redis.sock", "unix:///run/redis.sock"),
    ("STORE_TIMEOUT", "0.5", 0.5),
    ("STORE_DOWN", "stop", "stop"),
    ("STORE_LOCKED", "wait", "wait"),
    ("CACHE_MB", "8", 8),
    ("EXPECTED_PAGES", "1000000000", 10**9),
    ("WORKERS", "0", 0),
    ("INLINE_BODY", "100000", 100_000),
    ("WORKER_TIMEOUT", "0.1", 0.1),
    ("CLAIM_TIMEOUT", "0", 0.0),
    ("MAX_BODY", "1000", 1000),
    ("STATUSES", "200, 404", frozenset((200, 404))),
    ("STATUSES", [200, "203"], frozenset((200, 203))),
    ("TEXT_FIELDS", "headline, body", ("headline", "body")),
    ("TEXT_FIELDS", ["body"], ("body",)),
    ("URL_FIELD", "link", "link"),
    ("FIELD", "repeats", "repeats"),
    ("LOG", "drops.jsonl", "drops.jsonl"),
    ("LOG", Path("logs/drops.jsonl"), "logs/drops.jsonl"),
    ("LOG_LEVEL", "debug", "DEBUG"),
    ("KEEP_TEXT", "yes", True),
    ("KEEP_TEXT", False, False),
    ("FOLLOW_DUPLICATES", "false", False),
    ("SKIP_PREDICTED", "True", True),
    ("PROBE", "True", True),
    ("RESET", "True", True),
    ("READ_ONLY", "yes", True),
    ("TTL", "86400", 86400.0),
]
# setting, bad values, what is allowed as the message says it
FLAG = "True or False"
BAD: list[tuple[str, list[Any], str]] = [
    ("ENABLED", ["maybe", "", 2, []], FLAG),
    ("ACTION", ["delete", "", "DROP", 1], "one of drop, tag"),
    ("SCHEME", ["", " ", 7, "None"], "a non-empty string"),
    ("DISTANCE", ["three", "", 2.5], "a whole number; got"),
    ("ITEMS", ["all", "", "PAGE"], "one of auto, page, item"),
    ("CHANGING_FIELDS", ["", " , ", [], [1], 7], ""),
    ("FACT_FIELDS", ["", " , ", [], [1], 7, '["city"]', '{"city": 1}'], ""),
    (
        "DROP",
        ["none", "Equal", "equal;edited", "all", ["similar"]],
        "by commas, out of equal, edited, contained, grown, variant, overlap, placeholder; got",
    ),
    ("MAX_NEW", ["half", "", -0.1, 1.1, "nan"], "a number from 0 to 1"),
    ("HASH_SEED", [""], "a whole number from 0 to 18446744073709551615"),
    ("EXTRACTOR", ["trafilatura", ""], "one of weighted_dom, readability, plain"),
    ("SEGMENTER", ["thulac", ""], "one of jieba, chars"),
    ("MIN_TOKENS", [0, 10_001, "x"], "a whole number from 1 to 10000"),
    ("SCOPE", ["path", ""], "one of global, domain, host"),
    ("LAYOUT", ["5", ""], "one of "),
    (
        "STORE",
        ["/var/pages", "leveldb:", "leveldb: ", "mongo:x"],
        "leveldb:FOLDER, memory: or redis:",
    ),
    ("STORE", ["memory:x", "memory:/"], "leveldb:FOLDER, memory: or redis:"),
    ("STORE", ["leveldb:s-%(time)s"], "only %(project)s and %(name)s stand for names"),
    ("STORE", ["leveldb:%(name)d"], "or a server without %(name)"),
    ("STORE", ["", " ", 7, "None"], "a non-empty string"),
    ("STORE", ["leveldb:~no-such-user/store"], "with one that leads to a home folder"),
    ("STORE_TIMEOUT", [0, "x", 3601, "inf"], "a number from 0.01 to 3600"),
    ("STORE_DOWN", ["wait", "", "PAUSE"], "one of pause, pass, stop"),
    ("STORE_LOCKED", ["pause", "", "WAIT"], "one of pass, wait, stop"),
    ("EXPECTED_PAGES", [999, "many", 10**11], "a whole number from 1000 to 10000000000"),
    ("CACHE_MB", [7, "x", 1 << 21], "a whole number from 8 to 1048576"),
    ("WORKERS", [-1, 257, "all", 1.5], "a whole number from 0 to 256"),
    ("INLINE_BODY", [-1, "all"], "a whole number from 0 to 1073741824"),
    ("WORKER_TIMEOUT", [0, "x", 3601, "inf"], "a number from 0.1 to 3600"),
    ("CLAIM_TIMEOUT", [-1, "x", 86_401], "a number from 0 to 86400"),
    ("MAX_BODY", [0, "5MB", 1 << 31], "a whole number from 1 to 1073741824"),
    ("STATUSES", ["ok", 99, "600", [], "200;404", {200: 1}, ""], "a list of HTTP statuses, 100 to"),
    ("TEXT_FIELDS", ["", " , ", [], [1], 7, "None"], ""),
    ("URL_FIELD", ["", "  ", 7, ["url"], "None"], "or left out for its default"),
    ("FIELD", ["", "  ", 7, "None"], "or left out for its default"),
    ("LOG", ["", 7, False, "None"], "or left out for its default"),
    ("LOG", ["~no-such-user/x.jsonl"], "with one that leads to a home folder"),
    ("LOG_LEVEL", ["LOUD", "", 10], "a log level such as INFO or DEBUG"),
    ("KEEP_TEXT", ["maybe", ""], FLAG),
    ("FOLLOW_DUPLICATES", ["maybe", ""], FLAG),
    ("SKIP_PREDICTED", ["perhaps", "", 2], FLAG),
    ("PROBE", ["maybe", ""], FLAG),
    ("RESET", ["maybe", ""], FLAG),
    ("READ_ONLY", ["maybe", ""], FLAG),
    ("TTL", [-1, "a day", 1e11], "a number from 0 to 1e+10"),
]
EVERY_BAD = [(name, value, allowed) for name, values, allowed in BAD for value in values]


def read(**settings: Any) -> Config:
    return Config.from_settings(Settings({f"NEARDUP_{name}": settings[name] for name in settings}))


def test_without_settings_the_defaults_hold() -> None:
    assert Config.from_settings(Settings()) == Config()


def test_a_plain_dictionary_will_do() -> None:
    assert Config.from_settings({"NEARDUP_DISTANCE": 2, "BOT_NAME": "x"}).distance == 2


@pytest.mark.parametrize(
    ("set_to", "expected_pages", "kept"),
    [(None, 10**6, True), (None, 10**6 + 1, False), (True, 10**7, True), (False, 10**4, False)],
)
def test_texts_are_kept_as_set_and_else_up_to_a_million_pages(
    set_to: bool | None, expected_pages: int, kept: bool
) -> None:
    assert Config(keep_text=set_to, expected_pages=expected_pages).keeps_text is kept


def test_none_means_the_default() -> None:
    assert read(DISTANCE=None, STORE=None) == Config()
    assert read(DISTANCE="None", HASH_SEED="None", KEEP_TEXT="None") == Config()
    with pytest.raises(ValueError, match="NEARDUP_CACHE_MB"):
        read(CACHE_MB="None")


@pytest.mark.parametrize("tables", [GOOD, BAD], ids=["good", "bad"])
def test_the_tables_here_have_every_setting(tables: list[Any]) -> None:
    assert {row[0].lower() for row in tables} == {item.name for item in fields(Config)}


@pytest.mark.usefixtures("compiled")
@pytest.mark.parametrize(("name", "given", "expected"), GOOD)
def test_a_value_is_read(name: str, given: Any, expected: Any) -> None:
    value = getattr(read(**{name: given}), name.lower())

    assert value == expected
    assert type(value) is type(expected)


@pytest.mark.usefixtures("compiled")
@pytest.mark.parametrize(("name", "given", "expected"), GOOD)
def test_a_value_given_as_text_is_the_same(name: str, given: Any, expected: Any) -> None:
    text = ",".join(map(str, given)) if isinstance(given, list) else str(given)

    assert getattr(read(**{name: text}), name.lower()) == expected


@pytest.mark.parametrize(("name", "value", "allowed"), EVERY_BAD)
def test_a_bad_value_is_refused_by_name_value_and_what_is_allowed(
    name: str, value: Any, allowed: str
) -> None:
    with pytest.raises(ValueError, match=rf"^NEARDUP_{name} must be .*got ") as error:
        read(**{name: value})

    message = str(error.value)
    assert allowed in message
    shown = value
    if name == "STATUSES" and isinstance(value, str):
        shown = value.split(",")[0]
    elif name == "DROP" and isinstance(value, list):
        shown = value[0]
    elif name == "STORE" and isinstance(value, str):
        shown = value.strip() or value
    assert message.endswith(f"got {shown!r}")
    assert "\n" not in message


@pytest.mark.parametrize(
    ("settings", "message"),
    [
        (
            {"SCHEME": "md5"},
            "NEARDUP_SCHEME = 'md5': there is no scheme 'md5'; there are combined, ",
        ),
        ({"SCHEME": "simhsah"}, "did you mean 'simhash'?"),
        ({"SCHEME": "simhash:bit=64"}, "scheme simhash has no option 'bit'; did you mean 'bits'?"),
        ({"SCHEME": "simhash:bits"}, "scheme simhash: an option is OPTION=VALUE; got 'bits'"),
        ({"SCHEME": "simhash:bits=65"}, "scheme simhash: bits must be one of 64, 128; got '65'"),
        ({"SCHEME": "simhash:bits=64,bits=128"}, "scheme simhash: bits is given twice"),
        (
            {"SCHEME": "combined:distance=2", "DISTANCE": 3},
            "NEARDUP_DISTANCE = 3: scheme combined: distance is given twice: 2, 3",
        ),
        (
            {"DISTANCE": 8},
            "NEARDUP_SCHEME = 'combined', NEARDUP_DISTANCE = 8: scheme combined: distance must be "
            "a whole number from 0 to 7; got 8",
        ),
        (
            {"SCHEME": "simhash:min_similarity=0.5"},
            "scheme simhash has no option 'min_similarity'; there are idf, bits, distance",
        ),
        *(
            ({"DISTANCE": value}, f"distance must be a whole number from 0 to 7; got {value}")
            for value in (-1, 385)
        ),
        *(
            ({"SCHEME": f"minhash:{name}={value}"}, f"{name} must be a number from 0.05 to 1; got ")
            for value in (-1, 0.01, 1.1, "nan", "inf")
            for name in ("min_similarity", "min_similarity_same_host")
        ),
        (
            {"SCHEME": "simhash", "DISTANCE": 9},
            "NEARDUP_LAYOUT = 'blocks' finds 64-bit words within distance 7; "
            "NEARDUP_SCHEME = 'simhash', NEARDUP_DISTANCE = 9 asks for 9",
        ),
        (
            {"DISTANCE": 4, "LAYOUT": "16"},
            "NEARDUP_LAYOUT = '16' finds 64-bit words within distance 3",
        ),
    ],
)
def test_a_scheme_that_cannot_be_is_refused_in_one_line(
    settings: dict[str, Any], message: str
) -> None:
    with pytest.raises(ValueError, match=r"^NEARDUP_") as error:
        read(**settings)

    assert message in str(error.value)
    assert "\n" not in str(error.value)


@pytest.mark.parametrize(
    ("store", "message"),
    [
        ("redis://me:secret@h?prefix=%(name)s", "NEARDUP_STORE must be a folder in which"),
        ("redis://me:secret@/0", "NEARDUP_STORE = 'redis://...' names no server"),
        ("redis://me:secret@h?prefix=a:b", "NEARDUP_STORE = 'redis://...' has ':' in its prefix"),
        ("mongo://me:secret@h", "got 'mongo://...'"),
    ],
)
def test_the_address_of_a_server_is_refused_without_its_password(store: str, message: str) -> None:
    with pytest.raises(ValueError, match=r"^NEARDUP_STORE") as error:
        read(STORE=store)

    assert message in str(error.value)
    assert "secret" not in str(error.value)


def test_128_bits_allow_a_larger_distance() -> None:
    assert read(SCHEME="simhash:bits=128", DISTANCE=15).distance == 15


def test_a_reset_of_a_store_that_is_only_read_is_refused() -> None:
    with pytest.raises(ValueError, match="NEARDUP_RESET and NEARDUP_READ_ONLY"):
        read(RESET=True, READ_ONLY=True)


@pytest.mark.parametrize(
    ("name", "meant"),
    [
        ("NEARDUP_DISTANSE", "NEARDUP_DISTANCE"),
        ("NEARDUP_WORKER", "NEARDUP_WORKERS"),
        ("NEARDUP_min_tokens", "NEARDUP_MIN_TOKENS"),
        ("neardup_action", "NEARDUP_ACTION"),
    ],
)
def test_an_unknown_setting_is_refused_with_the_name_that_may_be_meant(
    name: str, meant: str
) -> None:
    with pytest.raises(ValueError, match=rf"no setting {name}; did you mean {meant}\?"):
        Config.from_settings(Settings({name: 3}))


@pytest.mark.parametrize("option", ["min_similarity", "min_similarity_same_host"])
def test_a_setting_of_earlier_versions_is_refused_with_what_stands_for_it(option: str) -> None:
    name = f"NEARDUP_{option.upper()}"
    with pytest.raises(ValueError, match=rf"^there is no setting {name} any more: ") as error:
        Config.from_settings(Settings({name: 0.5}))

    for successor in ("NEARDUP_MAX_NEW", "NEARDUP_DROP", f"'minhash:{option}=0.8'"):
        assert successor in str(error.value)


def test_the_rules_of_the_verdict_are_settings() -> None:
    rules = read(DROP="equal,grown", MAX_NEW=0.4, SEGMENTER="chars").rules
    assert rules.dropped == {Relation.EQUAL, Relation.GROWN}
    assert (rules.most_new, rules.segmenter) == (0.4, "chars")
    assert read().rules.dropped == DROPPED == set("equal edited contained placeholder".split())


def test_a_setting_like_no_other_is_refused_with_the_place_to_look() -> None:
    with pytest.raises(ValueError, match=r"no setting NEARDUP_ZZZZZZ \(docs/settings.md"):
        Config.from_settings(Settings({"NEARDUP_ZZZZZZ": 3}))


def test_settings_of_others_are_left_alone() -> None:
    assert Config.from_settings(Settings({"MY_NEARDUP_DISTANCE": "x", "DISTANCE": -1})) == Config()


def test_workers_leave_a_processor_to_the_crawl() -> None:
    assert Config().workers == max(1, len(os.sched_getaffinity(0)) - 1)


ON_ONE_PROCESSOR = """
import os
os.sched_setaffinity(0, {min(os.sched_getaffinity(0))})
from dedup import Config
print(Config().workers, Config().most_inline)
slow = Config(extractor="readability")
print(slow.workers, slow.most_inline, Config(inline_body=0).most_inline)
"""


def test_where_there_is_one_processor_pages_are_read_in_the_crawls_process() -> None:
    done = subprocess.run(
        [sys.executable, "-c", ON_ONE_PROCESSOR], capture_output=True, text=True, check=True
    )
    assert done.stdout.splitlines() == ["1 5000000", "1 5000000 0"]


@pytest.mark.skipif(len(os.sched_getaffinity(0)) < 2, reason="there is one processor")
@pytest.mark.usefixtures("compiled")
def test_where_there_are_more_pages_that_python_reads_go_to_workers() -> None:
    assert Config().most_inline == Config(extractor="plain").most_inline == MOST_INLINE
    assert Config(extractor="readability").most_inline == 0


WITHOUT_COMPILED_CODE = """
import sys
sys.modules["dedup.native.core"] = None
from dedup import Config
from dedup.assembly import make_header
from dedup.fingerprint import Fingerprinter
from dedup.schemes import make_scheme
print(Config().extractor, make_header(Config()).fingerprint["extractor"].partition("/")[0])
print(Fingerprinter(make_scheme("combined")).of_html("<p>" + "tea and the sea " * 40).tokens)
try:
    Config(extractor="weighted_dom")
except ValueError as error:
    print(error)
"""


def test_without_compiled_code_pages_are_read_by_readability() -> None:
    run = [sys.executable, "-c", WITHOUT_COMPILED_CODE]
    default, tokens, refused = subprocess.check_output(run, text=True).splitlines()
    assert default == "readability readability"
    assert tokens == "160"
    assert refused == (
        "NEARDUP_EXTRACTOR: extractor 'weighted_dom' is not there, since compiled code could not "
        "be built when this package was installed. Install a C compiler and Python's headers (on "
        "Debian gcc, python3-dev), then this package once more, or take 'readability'"
    )


@pytest.mark.parametrize(
    ("values", "message"),
    [
        ({"action": "bogus"}, "NEARDUP_ACTION must be one of drop, tag; got 'bogus'"),
        ({"store": "levldb:/tmp/x"}, "NEARDUP_STORE must be leveldb:FOLDER"),
        ({"scope": "web"}, "NEARDUP_SCOPE must be one of"),
        ({"min_tokens": -5}, "NEARDUP_MIN_TOKENS must be a whole number from 1"),
        ({"ttl": "soon"}, "NEARDUP_TTL must be a number"),
    ],
)
def test_a_config_made_by_hand_is_checked_too(values: dict[str, Any], message: str) -> None:
    with pytest.raises(ValueError, match=message):
        Config(**values)
