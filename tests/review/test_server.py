"""The review server: who may ask it, what it shows, and what it stores."""

from __future__ import annotations

import http.client
from pathlib import Path
from typing import Any

import pytest
from flask.testing import FlaskClient
from made_logs import write_log
from reviewing import TOKEN, Restored, entry, make_review, read_log, serving
from werkzeug.test import TestResponse

from dedup.review.differences import MOST_LINES, Texts
from dedup.review.judgements import Judgements
from dedup.review.server import make_app

PORT = 8123
HOST = f"127.0.0.1:{PORT}"
SELF = f"http://{HOST}"


@pytest.fixture
def log(tmp_path: Path) -> Path:
    return write_log(tmp_path / "site.jsonl", map(entry, range(120)))


def stranger(log: Path, **changes: Any) -> FlaskClient:
    """A browser that has not been given the token."""
    return make_app(make_review(log, **changes), TOKEN, PORT).test_client()


def visitor(log: Path, **changes: Any) -> FlaskClient:
    """A browser that has opened the printed address."""
    client = stranger(log, **changes)
    client.get(f"/?token={TOKEN}", base_url=SELF)
    return client


@pytest.fixture
def client(log: Path) -> FlaskClient:
    return visitor(log)


def get(client: FlaskClient, path: str, **words: Any) -> TestResponse:
    return client.get(path, base_url=SELF, query_string=words or None, buffered=True)


def post(client: FlaskClient, path: str, body: Any, origin: str = SELF) -> TestResponse:
    return client.post(path, base_url=SELF, json=body, headers={"Origin": origin})


def numbers(answer: TestResponse) -> list[int]:
    return [record["number"] for record in answer.json["records"]]


@pytest.mark.parametrize("path", ["/", "/static/main.js", "/api/records", "/api/records/1", "/no"])
def test_nothing_is_told_without_the_token(log: Path, path: str) -> None:
    for answer in (
        stranger(log).get(path, base_url=SELF),
        stranger(log).get(f"{path}?token=wrong", base_url=SELF),
        stranger(log).get(f"{path}?token=é", base_url=SELF),
    ):
        assert answer.status_code == 403
        assert "example" not in answer.text


def test_the_token_becomes_a_cookie_that_no_script_and_no_other_sites_page_has(log: Path) -> None:
    answer = stranger(log).get(f"/?token={TOKEN}", base_url=SELF)
    assert (answer.status_code, answer.location) == (303, "/")
    cookie = answer.headers["Set-Cookie"]
    assert f"neardup-review-{PORT}=" in cookie
    assert "HttpOnly" in cookie
    assert "SameSite=Lax" in cookie
    assert "Expires" not in cookie


def test_the_token_opens_the_page_itself_only(log: Path) -> None:
    answer = stranger(log).get(f"/api/records?token={TOKEN}", base_url=SELF)
    assert answer.status_code == 403


@pytest.mark.parametrize(
    "host", ["evil.example", f"evil.example:{PORT}", "127.0.0.1", "127.0.0.1:80", f"0.0.0.0:{PORT}"]
)
def test_a_name_that_was_made_to_lead_here_is_refused(client: FlaskClient, host: str) -> None:
    answer = client.get(f"/?token={TOKEN}", base_url=SELF, headers={"Host": host})
    assert answer.status_code == 403
    assert "Set-Cookie" not in answer.headers


def test_localhost_is_a_name_of_this_server(log: Path) -> None:
    answer = stranger(log).get(f"/?token={TOKEN}", base_url=f"http://localhost:{PORT}")
    assert answer.status_code == 303


@pytest.mark.parametrize("origin", ["", "null", "http://evil.example", f"https://{HOST}"])
def test_changes_come_from_the_page_of_this_server_only(
    client: FlaskClient, log: Path, origin: str
) -> None:
    answer = post(client, "/api/records/1/judgement", {"verdict": "wrong"}, origin)
    assert answer.status_code == 403
    assert len(Judgements([log])) == 0


@pytest.mark.parametrize("path", ["/", "/static/review.css", "/api/records", "/no", "/?token=x"])
def test_every_answer_has_a_strict_policy(client: FlaskClient, log: Path, path: str) -> None:
    for answer in (get(client, path), stranger(log).get(path, base_url=SELF)):
        policy = answer.headers["Content-Security-Policy"]
        assert policy.startswith("default-src 'none'; script-src 'self'; style-src 'self'; ")
        assert "unsafe" not in policy
        assert answer.headers["X-Content-Type-Options"] == "nosniff"
        assert answer.headers["Referrer-Policy"] == "no-referrer"
        assert answer.headers["Cache-Control"] == "no-store"


def test_the_page_has_no_script_and_no_style_in_it(log: Path) -> None:
    note = '"><script>alert(1)</script>'
    text = get(visitor(log, notes=(note,)), "/").text
    assert "<script>" not in text
    assert "<style" not in text
    assert " style=" not in text
    assert "&lt;script&gt;" in text


def test_the_least_alike_come_first_fifty_a_page(client: FlaskClient) -> None:
    first = get(client, "/api/records")
    assert numbers(first) == list(range(50))
    assert (first.json["before"], first.json["total"]) == (0, 120)
    second = get(client, "/api/records", after=49)
    assert numbers(second) == list(range(50, 100))
    assert second.json["before"] == 50
    assert numbers(get(client, "/api/records", after=119)) == []


def test_a_page_is_turned_back_by_the_record_it_comes_before(client: FlaskClient) -> None:
    assert numbers(get(client, "/api/records", before=100)) == list(range(50, 100))
    assert numbers(get(client, "/api/records", before=20)) == list(range(20))


def test_no_record_slips_between_two_pages_by_being_judged(client: FlaskClient) -> None:
    first = numbers(get(client, "/api/records", judged="unjudged"))
    for number in first:
        post(client, f"/api/records/{number}/judgement", {"verdict": "right"})
    second = get(client, "/api/records", judged="unjudged", after=first[-1])
    assert numbers(second) == list(range(50, 100))
    assert (second.json["before"], second.json["total"]) == (0, 70)


def test_records_are_ordered_by_time_and_mixed_for_a_fair_sample(tmp_path: Path) -> None:
    entries = [entry(number, similarity=1 - number / 100) for number in range(60)]
    client = visitor(write_log(tmp_path / "log.jsonl", entries))
    assert numbers(get(client, "/api/records", order="time")) == list(range(50))
    assert numbers(get(client, "/api/records")) == list(range(59, 9, -1))
    mixed = numbers(get(client, "/api/records", order="mixed"))
    rest = numbers(get(client, "/api/records", order="mixed", after=mixed[-1]))
    assert sorted(mixed + rest) == list(range(60))
    assert mixed != sorted(mixed)


@pytest.mark.parametrize(
    ("words", "expected"),
    [
        ({"host": "news.example"}, [1, 2]),
        ({"host": "www.NEWS.example"}, [1, 2]),
        ({"host": "http://www.news.example:80/a"}, [1, 2]),
        ({"host": "example"}, []),
        ({"relation": "equal"}, [3]),
        ({"action": "tag"}, [2]),
        ({"min": "0.3"}, [2, 3]),
        ({"max": "0.3"}, [0, 1, 2]),
        ({"min": "0.3", "max": "0.3"}, [2]),
        ({"text": "TEA%20"}, [3]),
        ({"text": "origin.example/page/1"}, [1]),
        ({"judged": "judged"}, [0, 2]),
        ({"judged": "unjudged"}, [1, 3]),
        ({"judged": "wrong"}, [2]),
        ({"judged": "unsure"}, []),
        ({"judged": "wrong", "host": "news.example"}, [2]),
    ],
)
def test_a_filter_lets_through_what_it_says(
    tmp_path: Path, words: dict[str, str], expected: list[int]
) -> None:
    changes: list[dict[str, Any]] = [
        {"similarity": 0.1},
        {"similarity": 0.2, "url": "http://www.news.example/"},
        {"similarity": 0.3, "of": "http://news.example:81/", "action": "tag"},
        {"similarity": 1.0, "relation": "equal", "url": "http://a.example/tea%20house"},
    ]
    log = write_log(tmp_path / "log.jsonl", (entry(n, **c) for n, c in enumerate(changes)))
    client = visitor(log)
    post(client, "/api/records/0/judgement", {"verdict": "right"})
    post(client, "/api/records/2/judgement", {"verdict": "wrong"})
    assert numbers(get(client, "/api/records", **words)) == expected


@pytest.mark.parametrize(
    ("words", "problem"),
    [
        ({"min": "tea"}, "min must be a similarity from 0 to 1; got 'tea'"),
        ({"max": "1.5"}, "max must be"),
        ({"min": "nan"}, "min must be"),
        ({"judged": "maybe"}, "judged must be one of judged, unjudged,"),
        ({"order": "size"}, "order must be one of similarity,"),
        ({"after": "-1"}, "after must be the number of a record; got '-1'"),
        ({"before": "x"}, "before must be"),
    ],
)
def test_a_bad_word_is_named(client: FlaskClient, words: dict[str, str], problem: str) -> None:
    answer = get(client, "/api/records", **words)
    assert answer.status_code == 400
    assert problem in answer.json["error"]


@pytest.mark.parametrize("path", ["/api/records?after=120", "/api/records/120", "/api/records/-1"])
def test_a_record_that_does_not_exist_is_not_found(client: FlaskClient, path: str) -> None:
    assert get(client, path).status_code == 404


def test_a_record_comes_with_both_texts_and_what_differs(client: FlaskClient) -> None:
    record = get(client, "/api/records/7").json
    assert record["url"] == "http://copies.example/page/7"
    assert record["of"] == "http://origin.example/page/7"
    assert (record["relation"], record["new"], record["new_words"]) == ("edited", 0.05, 12)
    same, changed = record["rows"]
    assert same == [[["A text.", 1]], [["A text.", 1]]]
    assert ["7", 0] in changed[0]
    assert ["none", 0] in changed[1]


def test_a_text_that_cannot_be_read_is_told_and_the_record_is_shown(log: Path) -> None:
    def gone(_: Any) -> Any:
        raise OSError("the log is gone")

    record = get(visitor(log, texts=gone), "/api/records/7").json
    assert "the log is gone" in record["problem"]
    assert record["url"] == "http://copies.example/page/7"


def test_a_text_alone_is_as_bounded_as_two(log: Path) -> None:
    text = "A line.\n" * (MOST_LINES + 1)
    for texts in (Texts(text, ""), Texts("", text)):
        rows = get(visitor(log, texts=lambda _, of=texts: of), "/api/records/7").json["rows"]
        row = [[["A line.", 1]] * bool(side) for side in (texts.original, texts.dropped)]
        assert rows == [row] * MOST_LINES


def test_halves_of_characters_in_a_damaged_log_keep_no_page_from_being_shown(
    tmp_path: Path,
) -> None:
    entries = [entry(0), entry(1, url="http://\ud800.example/", action="\ud800")]
    client = visitor(write_log(tmp_path / "damaged.jsonl", entries))
    assert get(client, "/").status_code == 200
    assert get(client, "/api/records").json["total"] == 2


def test_a_judgement_is_stored_before_it_is_answered(client: FlaskClient, log: Path) -> None:
    answer = post(client, "/api/records/7/judgement", {"verdict": "wrong"})
    assert answer.json["before"] is None
    assert Judgements([log]).of(read_log(log)[7]) == "wrong"
    assert answer.json["standing"]["overall"]["wrong"] == 1
    assert get(client, "/api/records/7").json["verdict"] == "wrong"


def test_a_judgement_is_taken_back(client: FlaskClient, log: Path) -> None:
    post(client, "/api/records/7/judgement", {"verdict": "wrong"})
    answer = post(client, "/api/records/7/judgement", {"verdict": None})
    assert answer.json["before"] == "wrong"
    assert len(Judgements([log])) == 0


def test_judgements_are_there_again_after_a_restart(client: FlaskClient, log: Path) -> None:
    post(client, "/api/records/7/judgement", {"verdict": "unsure"})
    assert numbers(get(visitor(log), "/api/records", judged="unsure")) == [7]


@pytest.mark.parametrize("body", [{"verdict": "maybe"}, {"verdict": ["right"]}, {}, [], "right"])
def test_a_bad_judgement_is_refused(client: FlaskClient, log: Path, body: Any) -> None:
    assert post(client, "/api/records/7/judgement", body).status_code == 400
    assert len(Judgements([log])) == 0


def test_a_body_that_is_no_json_or_too_long_is_refused(client: FlaskClient) -> None:
    path, words = "/api/records/7/judgement", {"base_url": SELF, "headers": {"Origin": SELF}}
    assert client.post(path, data="verdict=right", **words).status_code == 415
    assert post(client, path, {"verdict": "right" * 1000}).status_code == 413


def test_the_standing_advises_a_threshold_for_each_kind_of_pair(client: FlaskClient) -> None:
    for number in range(30):
        verdict = "wrong" if number < 5 else "right"
        post(client, f"/api/records/{number}/judgement", {"verdict": verdict})
    standing = get(client, "/api/standing").json
    assert standing["overall"]["precision"] == pytest.approx(25 / 30)
    [across] = standing["thresholds"]
    assert across["setting"] == "min_similarity"  # an option of schemes, and no setting
    assert across["threshold"] == entry(5)["similarity"]
    assert across["below"] == 5


def test_exactly_those_judged_wrong_are_restored(log: Path, tmp_path: Path) -> None:
    restored = Restored(tmp_path / "restored.txt")
    client = visitor(log, restore=restored)
    for number, verdict in ((3, "wrong"), (4, "right"), (5, "unsure"), (6, "wrong"), (7, "wrong")):
        post(client, f"/api/records/{number}/judgement", {"verdict": verdict})
    post(client, "/api/records/7/judgement", {"verdict": "right"})
    answer = post(client, "/api/restore", {"count": 2})
    assert answer.json == {"count": 2, "files": [str(tmp_path / "restored.txt")]}
    assert [drop.url for drop in restored.drops] == [entry(3)["url"], entry(6)["url"]]


def test_what_was_tagged_is_in_its_feed_and_not_restored(tmp_path: Path) -> None:
    log = write_log(tmp_path / "log.jsonl", [entry(0, action="tag"), entry(1)])
    restored = Restored(tmp_path / "restored.txt")
    client = visitor(log, restore=restored)
    for number in (0, 1):
        post(client, f"/api/records/{number}/judgement", {"verdict": "wrong"})
    assert get(client, "/api/standing").json["restorable"] == 1
    assert post(client, "/api/restore", {"count": 1}).status_code == 200
    assert [drop.url for drop in restored.drops] == [entry(1)["url"]]


def test_nothing_is_restored_but_what_was_confirmed(log: Path, tmp_path: Path) -> None:
    restored = Restored(tmp_path / "restored.txt")
    client = visitor(log, restore=restored)
    assert post(client, "/api/restore", {"count": 0}).status_code == 409
    post(client, "/api/records/3/judgement", {"verdict": "wrong"})
    assert post(client, "/api/restore", {"count": 2}).status_code == 409
    assert post(client, "/api/restore", {}).status_code == 400
    assert restored.drops == []


def test_it_listens_to_this_machine_only_and_says_nothing_of_itself(log: Path) -> None:
    with serving(make_review(log)) as address:
        connection = http.client.HTTPConnection(address.split("/")[2])
        connection.request("GET", "/")
        answer = connection.getresponse()
        connection.close()
    assert address.startswith("http://127.0.0.1:")
    assert answer.status == 403
    assert answer.headers["Server"] is None
