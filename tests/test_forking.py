"""Programs that fork from one that has imported Scrapy: as fresh ones, and gone with the tests."""

from __future__ import annotations

import signal
import subprocess
import sys
from pathlib import Path

import forking
import pytest
from crawling import environment
from forking import Forked
from waiting import wait_until

HANGS = "import time\nprint('started', flush=True)\ntime.sleep(600)\n"
# A thread that prints after the end of the main one.
LATE = """
from threading import Thread, main_thread
def print_late():
    main_thread().join()
    print("late")
Thread(target=print_late).start()
"""


def program(folder: Path, text: str) -> list[str]:
    (folder / "program.py").write_text(text)
    return ["program"]


def test_a_program_has_arguments_a_folder_an_environment_and_an_output_of_its_own(
    tmp_path: Path,
) -> None:
    words = program(
        tmp_path,
        "import os, sys\n"
        "files = os.listdir('/proc/self/fd')\n"
        "print(__name__, sys.argv[1:], os.getcwd(), os.environ['TEA'], files)\n"
        "print(sys.stdin.read(), file=sys.stderr)\n",
    )

    done = forking.run([*words, "a", "b"], tmp_path, environment() | {"TEA": "green"})

    assert done.stdout == f"__main__ ['a', 'b'] {tmp_path} green ['0', '1', '2', '3']\n"
    assert (done.stderr, done.returncode) == ("\n", 0)


@pytest.mark.parametrize(
    ("text", "code"),
    [
        ("import sys\nsys.exit(3)", 3),
        ("import sys\nsys.exit('no tea')", 1),
        ("import atexit, sys\natexit.register(print, 'over')", 0),
        (LATE, 0),
        ("1 / 0", 1),
        ("import os, signal\nos.kill(os.getpid(), signal.SIGTERM)", -signal.SIGTERM),
    ],
)
def test_a_program_ends_as_a_fresh_one_does(tmp_path: Path, text: str, code: int) -> None:
    words = program(tmp_path, text)
    fresh = subprocess.run(
        [sys.executable, "-m", *words], cwd=tmp_path, capture_output=True, text=True, check=False
    )

    done = forking.run(words, tmp_path, environment())

    assert done.returncode == fresh.returncode == code
    assert done.stdout == fresh.stdout
    assert done.stderr.splitlines()[-1:] == fresh.stderr.splitlines()[-1:]


@pytest.mark.parametrize("sent", [signal.SIGINT, signal.SIGKILL])
def test_a_program_can_be_interrupted_and_killed(tmp_path: Path, sent: signal.Signals) -> None:
    process = Forked(program(tmp_path, HANGS), tmp_path, environment())
    wait_until(process.printed, "it has started")

    process.send_signal(sent)
    _, told = process.communicate(timeout=60)

    assert process.returncode == -sent
    assert told.endswith("KeyboardInterrupt\n") == (sent == signal.SIGINT)


def test_warnings_are_errors_where_the_environment_says_so(tmp_path: Path) -> None:
    words = program(tmp_path, "import warnings\nwarnings.warn('weak tea')")

    first = forking.run(words, tmp_path, environment() | {"PYTHONWARNINGS": "error"})
    second = forking.run(words, tmp_path, environment() | {"PYTHONWARNINGS": "ignore"})

    assert (first.returncode, second.returncode) == (1, 0)
    assert "weak tea" in first.stderr


def test_warnings_that_modules_ignore_stay_ignored(tmp_path: Path) -> None:
    """Scrapy ignores what Twisted says is out of date."""
    words = program(
        tmp_path,
        "import sys, warnings\n"
        "import scrapy\n"
        "warnings.warn_explicit('old', DeprecationWarning, 'a.py', 1, module='twisted')\n"
        "print(sys.warnoptions)\n",
    )

    done = forking.run(words, tmp_path, environment() | {"PYTHONWARNINGS": "error"})

    assert (done.stdout, done.stderr) == ("['error']\n", "")


# Tests of which the process ends while a program runs.
TESTS = f"""
import sys
from pathlib import Path
from forking import Forked
from crawling import environment
from waiting import wait_until
Path("program.py").write_text({HANGS!r})
process = Forked(["program"], Path.cwd(), environment())
wait_until(process.printed, "it has started")
threads = Path("/proc/self/task").glob("*/children")
children = [child for path in threads for child in path.read_text().split()]
print(process.pid, Path(f"/proc/{{process.pid}}/stat").read_text().split()[3], children)
"""


def test_nothing_outlives_the_tests_or_is_a_child_of_theirs(tmp_path: Path) -> None:
    done = subprocess.run(
        [sys.executable, "-c", TESTS],
        cwd=tmp_path,
        env=environment(),
        capture_output=True,
        text=True,
        check=True,
    )

    program, forker, children = done.stdout.split(maxsplit=2)
    assert children == "[]\n"
    for process in (program, forker):
        wait_until(lambda process=process: not is_running(process), f"{process} has ended")


def is_running(process: str) -> bool:
    """Whether a process runs; one that has ended may wait for a parent that asks."""
    try:
        return Path(f"/proc/{process}/stat").read_text().split()[2] != "Z"
    except FileNotFoundError:
        return False
