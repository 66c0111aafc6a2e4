"""The fingerprints and verdicts of a crawl over whole stored collections, on Apache Spark.

    inputs -> fingerprints -> groups of equal pages -> words -> pairs -> verdicts -> results

``run`` is the whole way; ``job`` says what is asked. Only the command and benchmarks import this
package: all but ``job`` need the packages of the extra ``spark``.
"""
