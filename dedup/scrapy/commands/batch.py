"""The action that de-duplicates stored collections on Apache Spark: batch."""

from __future__ import annotations

import argparse
from pathlib import Path
from typing import Any

from dedup.batch.job import FORMATS, INLINE, KEEP, BatchError, Fields, Job, check_machine
from dedup.scrapy.commands.context import Context, UsageError


def batch(context: Context) -> None:
    """Drop near-duplicates of stored collections, on Apache Spark."""
    options = context.options
    try:
        job = make_job(context)
    except BatchError as error:
        raise UsageError(str(error)) from None
    check_machine()
    # These imports need the packages that check_machine looks for.
    from dedup.batch.fingerprints import with_its_seed  # noqa: PLC0415
    from dedup.batch.run import prepare, run_batch  # noqa: PLC0415
    from dedup.batch.session import open_session  # noqa: PLC0415

    job = with_its_seed(job)
    prepare(job, resume=options.resume, fresh=options.fresh)
    with open_session(job.master) as spark:
        summary = run_batch(job, spark)
    facts = {"output": job.output, **summary}
    context.print_facts(facts if context.json else {k: _flat(v) for k, v in facts.items()})
    if advice := _advice(summary, job.fields):
        context.warn(advice)


def _advice(summary: dict[str, Any], fields: Fields) -> str:
    """Advice if no record was compared and some had no text; else empty."""
    without = summary["skipped_for"].get("no_text", 0)
    if summary["pages"] or not without:
        return ""
    html, text = map(", ".join, (fields.html, fields.text))
    return (
        f"records with no text in a page in {html}, nor in {text}, a title aside: {without}; name "
        "the fields that hold it in --html-field or --text-field"
    )


def _flat(value: Any) -> Any:
    """A value of the summary as one line for people."""
    if isinstance(value, dict):
        value = [f"{name} {of}" for name, of in value.items()]
    return ", ".join(value) if isinstance(value, list) else value


def make_job(context: Context) -> Job:
    """Make the job from the command line and the settings."""
    options, config = context.options, context.config
    usual = Fields()
    return Job(
        config=config,
        inputs=tuple(options.input),
        output=options.output,
        fields=Fields(
            url=options.url_field or config.url_field,
            html=tuple(options.html_field or usual.html),
            text=tuple(options.text_field or config.text_fields),
            date=tuple(options.date_field or usual.date),
        ),
        against=options.against,
        root=context.root,
        keep=options.keep,
        format=options.format,
        master=options.master,
    )


def options(parser: argparse.ArgumentParser) -> None:
    add = parser.add_argument
    kinds = ".jsonl[.gz], .jl[.gz], .parquet, .warc[.gz], or a folder of them"
    add("input", nargs="+", type=Path, metavar="INPUT", help=kinds)
    add("--output", "-o", type=Path, required=True, metavar="DIR", help="folder of the results")
    add("--master", default="local[*]", help="the Spark master (local[*])")
    about = "a store or an export: pages that were there before"
    add("--against", default="", metavar="INDEX", help=about)
    add("--keep", default=INLINE, metavar="WHAT", help=f"one of {', '.join(KEEP)} ({INLINE})")
    add("--format", choices=FORMATS, default=FORMATS[0], help=f"result format ({FORMATS[0]})")
    add("--url-field", metavar="NAME", help="field with the URL of a record (NEARDUP_URL_FIELD)")
    for name, about in (
        ("html", "field with the HTML of a record (html, body)"),
        ("text", "field with its text, if it has no HTML (NEARDUP_TEXT_FIELDS)"),
        ("date", "field with its date, for --keep earliest (date, published, fetched)"),
    ):
        add(f"--{name}-field", action="append", metavar="NAME", help=f"{about}; repeatable")
    again = parser.add_mutually_exclusive_group()
    again.add_argument("--resume", action="store_true", help="continue the batch in DIR")
    again.add_argument("--fresh", action="store_true", help="delete the batch in DIR first")
