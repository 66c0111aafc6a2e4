"""The fingerprints and verdicts of a crawl for whole stored collections, on Apache Spark.

    inputs -> fingerprints -> groups of equal pages -> words -> pairs -> verdicts -> results

``run`` contains all steps; ``job`` describes a batch. Only the command and benchmarks import this
package: all modules but ``job`` need the packages of the extra ``spark``.
"""
