"""Imports go downwards only, and the engine knows nothing of Scrapy."""

import ast
import subprocess
import sys
from pathlib import Path
from types import ModuleType

import pytest

import dedup
import dedup.schemes
import dedup.scrapy
from dedup import native

PACKAGE = Path(__file__).parents[1] / "dedup"
BELOW = {
    "native": set(),
    "page": {"digests", "native", "plugins"},
    "digests": set(),
    "files": set(),
    "chunks": set(),
    "extras": set(),
    "lazy": set(),
    "lru": set(),
    "plugins": set(),
    "verdict": {"native", "page"},
    "items": {"digests", "native", "scope", "verdict"},
    "urls": {"native", "lru"},
    "schemes": {"digests", "native", "page", "files", "lazy", "plugins", "verdict"},
    "scope": set(),
    "fingerprint": {"page", "schemes"},
    "store": {
        "digests",
        "native",
        "page",
        "schemes",
        "chunks",
        "extras",
        "lazy",
        "lru",
        "plugins",
        "urls",
    },
    "index": {"lru", "page", "schemes", "scope", "fingerprint", "store", "urls", "verdict"},
    "config": {"items", "page", "schemes", "scope", "store", "urls", "verdict"},
    "text": {"page"},
    "assembly": {"page", "schemes", "fingerprint", "store", "index", "config", "urls"},
}
BELOW["testing"] = set(BELOW)
BELOW["lab"] = set(BELOW) - {"testing"}
BELOW["review"] = set(BELOW) - {"lab", "testing"}
BELOW["exchange"] = set(BELOW) - {"lab", "review", "testing"}
BELOW["batch"] = set(BELOW) - {"lab", "testing"}


def imported_parts(module: Path) -> set[str]:
    """The parts of dedup that a file imports; it may do so by absolute names only."""
    parts = set()
    for node in ast.walk(ast.parse(module.read_text(encoding="utf-8"))):
        if isinstance(node, ast.ImportFrom):
            assert node.level == 0, f"{module}: a relative import"
            names = [f"{node.module}.{alias.name}" for alias in node.names]
        elif isinstance(node, ast.Import):
            names = [alias.name for alias in node.names]
        else:
            continue
        parts |= {name.split(".")[1] for name in names if name.startswith("dedup.")}
        assert "dedup" not in names, f"{module}: imports all of dedup"
    return parts


def modules(part: str) -> list[Path]:
    return sorted((PACKAGE / part).rglob("*.py")) or [PACKAGE / f"{part}.py"]


def module_name(path: Path) -> str:
    """Its dotted name."""
    parts = path.relative_to(PACKAGE.parent).with_suffix("").parts
    return ".".join(parts[:-1] if parts[-1] == "__init__" else parts)


@pytest.mark.parametrize("part", BELOW)
def test_imports_go_downwards_only(part: str) -> None:
    imported = set().union(*map(imported_parts, modules(part)))
    assert imported - {part} <= BELOW[part]


def test_the_schemes_of_a_crawl_use_none_of_the_literature() -> None:
    for module in (PACKAGE / "schemes").glob("*.py"):
        assert "dedup.schemes.literature" not in module.read_text(encoding="utf-8"), module


# Batches need the packages of an extra even to be imported.
@pytest.mark.parametrize("part", sorted(BELOW.keys() - {"batch"}))
def test_the_engine_runs_without_scrapy(part: str) -> None:
    program = (
        f"import sys, {', '.join(map(module_name, modules(part)))}\n"
        "print(*sorted({name.split('.')[0] for name in sys.modules} & {'scrapy', 'twisted'}))"
    )
    run = subprocess.run(
        [sys.executable, "-c", program], cwd=PACKAGE.parent, capture_output=True, check=True
    )
    assert run.stdout.split() == []


@pytest.mark.usefixtures("compiled")
def test_using_the_engine_loads_neither_scrapy_nor_twisted() -> None:
    program = (
        "import sys; sys.modules['scrapy'] = sys.modules['twisted'] = None\n"
        "from dedup.fingerprint import Fingerprinter\n"
        "from dedup.index import Index, index_spaces, words_reader\n"
        "from dedup.schemes import Combined\n"
        "from dedup.store import MemoryStore\n"
        "scheme = Combined()\n"
        "index = Index(MemoryStore(index_spaces(scheme), words_reader(scheme)), scheme)\n"
        "for extractor in ('weighted_dom', 'readability', 'plain'):\n"
        "    page = Fingerprinter(scheme, extractor).of_html('<p>' + '茶 tea house ' * 50)\n"
        "    index.check('http://example.com/', extractor.encode(), page)\n"
    )
    subprocess.run([sys.executable, "-c", program], cwd=PACKAGE.parent, check=True)


@pytest.mark.parametrize(
    "loaded",
    [
        "dedup.scrapy.commands",  # Scrapy makes every installed command whenever it runs one
        "crawler.progress, crawler.summary",
        "benchmarks.spiders.pages, benchmarks.spiders.without",  # crawls that others are held to
    ],
)
def test_crawls_without_the_extension_do_not_wait_for_it(loaded: str) -> None:
    script = f"import sys, {loaded}; print('numpy' in sys.modules or 'dedup.config' in sys.modules)"
    run = [sys.executable, "-c", script]
    assert subprocess.check_output(run, cwd=PACKAGE.parent) == b"False\n"


def test_a_crawl_waits_for_no_scheme_and_no_client_that_it_does_not_use() -> None:
    script = (
        "import sys, dedup.scrapy.session, crawler.spiders.shared\n"
        "from dedup import Config, make_fingerprinter\n"
        "make_fingerprinter(Config()).of_text('tea house ' * 50)\n"
        "print(*sorted(sys.modules.keys() & {'redis', 'jieba', 'rjieba',\n"
        "    'dedup.schemes.combined', 'dedup.schemes.simhash',\n"
        "    'dedup.schemes.literature.tianwang'}))"
    )
    loaded = subprocess.check_output([sys.executable, "-c", script], cwd=PACKAGE.parent, text=True)
    assert loaded.split() == ["dedup.schemes.combined"]


def test_a_crawl_loads_numpy_only_where_nothing_is_compiled() -> None:
    script = (
        "import sys, dedup.scrapy.session\n"
        "from dedup import Config, make_fingerprinter, make_index, open_store\n"
        "config = Config(store='memory:')\n"
        "page = make_fingerprinter(config).of_page(b'<p>tea house ' * 50)\n"
        "make_index(config, open_store(config)).check('http://a.example/', b'a', page)\n"
        "print('numpy' in sys.modules)"
    )
    loaded = subprocess.check_output([sys.executable, "-c", script], cwd=PACKAGE.parent, text=True)
    assert loaded.split() == [str(not native.is_compiled)]


@pytest.mark.parametrize("package", [dedup, dedup.scrapy, dedup.schemes])
def test_every_name_that_a_package_gives_out_is_there(package: ModuleType) -> None:
    assert all(getattr(package, name) is not None for name in package.__all__)
    with pytest.raises(AttributeError, match="has no attribute 'anything'"):
        _ = package.anything
