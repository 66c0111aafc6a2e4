"""Files written whole: the old one stays until the new one is complete."""

from __future__ import annotations

import errno
import gzip
import os
import subprocess
import sys
from pathlib import Path

import pytest

from dedup.files import append_whole, check_target, open_lines, whole_file

OTHER = """
import sys
from pathlib import Path
from dedup.files import whole_file
with whole_file(Path(sys.argv[1])) as out:
    out.write("other")
"""


@pytest.mark.parametrize("name", ["a.txt", "a.gz"])
def test_a_file_is_replaced_once_the_new_one_is_complete(tmp_path: Path, name: str) -> None:
    path = tmp_path / name
    path.write_text("old")
    with whole_file(path) as out:
        out.write("new 茶\n")
        assert path.read_text() == "old"
    data = path.read_bytes()
    assert (gzip.decompress(data) if name.endswith(".gz") else data).decode() == "new 茶\n"
    assert list(tmp_path.iterdir()) == [path]


def test_what_is_cut_short_leaves_the_old_file_and_no_other(tmp_path: Path) -> None:
    path = tmp_path / "a.txt"
    path.write_text("old")
    with pytest.raises(TypeError), whole_file(path) as out:
        out.writelines(["half", 1])  # type: ignore[list-item]
    assert path.read_text() == "old"
    assert list(tmp_path.iterdir()) == [path]


def test_a_target_is_checked_without_a_trace(tmp_path: Path) -> None:
    check_target(tmp_path / "a.txt", [tmp_path])
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize(
    ("name", "says"),
    [
        ("none/a.txt", "there is no such folder"),
        ("folder", "is not a file that can be replaced"),
        ("pipe", "is not a file that can be replaced"),
        ("source.txt", "is among what is read, so it cannot be the output"),
        ("link.txt", "is among what is read, so it cannot be the output"),
        ("read/a/page.txt", "is among what is read, so it cannot be the output"),
    ],
)
def test_what_cannot_be_written_is_refused(tmp_path: Path, name: str, says: str) -> None:
    source = tmp_path / "source.txt"
    source.write_text("words")
    (tmp_path / "folder").mkdir()
    os.mkfifo(tmp_path / "pipe")
    (tmp_path / "link.txt").symlink_to(source)
    (tmp_path / "read" / "a").mkdir(parents=True)
    (tmp_path / "read" / "a" / "page.txt").touch()
    with pytest.raises(OSError, match=says):
        check_target(tmp_path / name, [source, tmp_path / "read"])
    assert source.read_text() == "words"


def test_an_error_names_the_file_that_was_asked_for(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "a.txt"

    def refuse(part: Path, *_: object, **__: object) -> None:
        raise PermissionError(errno.EACCES, os.strerror(errno.EACCES), str(part))

    monkeypatch.setattr(Path, "touch", refuse)
    monkeypatch.setattr(Path, "open", refuse)
    with pytest.raises(PermissionError) as checked:
        check_target(path)
    with pytest.raises(PermissionError) as opened, whole_file(path):
        pass
    assert (checked.value.filename, opened.value.filename) == (str(path), str(path))


def test_a_dash_is_no_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    with pytest.raises(OSError, match="no name of a file"):
        check_target(Path("-"))
    assert list(tmp_path.iterdir()) == []


def test_a_file_is_on_disk_before_it_has_its_name(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path, synced = tmp_path / "a.txt", []
    monkeypatch.setattr(os, "fsync", lambda _: synced.append(path.exists()))
    with whole_file(path) as out:
        out.write("new")
    assert synced == [False]


def test_two_processes_that_write_one_file_leave_a_whole_one(tmp_path: Path) -> None:
    path = tmp_path / "a.txt"
    with whole_file(path) as out:
        out.write("one, ")
        out.flush()
        subprocess.run([sys.executable, "-c", OTHER, str(path)], check=True)
        assert path.read_text() == "other"
        out.write("whole")
    assert path.read_text() == "one, whole"


@pytest.mark.parametrize(("quicker", "left"), [(True, b"theirs\n"), (False, b"outheirs\n")])
def test_a_line_that_finds_no_room_takes_none_of_another_process_with_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, quicker: bool, left: bytes
) -> None:
    ours, theirs = (open_lines(tmp_path / "log") for _ in range(2))
    write = os.write

    def write_a_part(file: int, data: bytes) -> int:
        if quicker:
            write(theirs, b"theirs\n")
        written = write(file, data[:2])
        if not quicker:
            write(theirs, b"theirs\n")
        return written

    with monkeypatch.context() as patched:
        patched.setattr(os, "write", write_a_part)
        with pytest.raises(OSError, match="No space"):
            append_whole(ours, b"ours\n")

    assert (tmp_path / "log").read_bytes() == left
    for file in (ours, theirs):
        os.close(file)
