"""The jars in this package."""

import importlib.metadata
import pathlib

DIRECTORY = pathlib.Path(__file__).resolve().parent / "jars"

__version__: str = importlib.metadata.version("penstock-spark")


def jar() -> str:
    """Returns the path of penstock-spark.jar, the jar for the class path of Spark."""
    return str(DIRECTORY / "penstock-spark.jar")
