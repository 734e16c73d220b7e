"""Switches Penstock on for the session that a builder makes."""

import os
import pathlib
import re
import shlex
from typing import TYPE_CHECKING, Dict, List

from ._jars import jar
from ._settings import SubmitArguments

if TYPE_CHECKING:
    from pyspark.sql import SparkSession

PLUGIN = "io.penstock.spark.PenstockPlugin"
_JARS = "spark.jars"
_PLUGINS = "spark.plugins"
_SUBMIT = "PYSPARK_SUBMIT_ARGS"


class PenstockError(RuntimeError):
    """Penstock cannot be switched on here; the message says what to do instead."""


def configure(builder: "SparkSession.Builder") -> "SparkSession.Builder":
    """Switches Penstock on for the session that the builder makes, and returns the builder.

    Adds the jar to ``spark.jars`` and the plugin to ``spark.plugins``. Keeps what the builder,
    ``PYSPARK_SUBMIT_ARGS``, the options of spark-submit or ``spark-defaults.conf`` name there. Call
    it before the first session of the Python process, and set ``spark.jars`` and ``spark.plugins``
    before, not after.

    :raises PenstockError: if a session or a Java process without Penstock runs already, if the
        session is one of Spark Connect, whose server owns jars and plugins, or if Spark cannot load
        a jar from where this package is installed
    """
    options: Dict[str, str] = getattr(builder, "_options", {})
    _refuse_connect(builder, options)
    if _java_runs():
        return _in_running_java(builder, options)
    path = _spark_path(jar())
    arguments = SubmitArguments(shlex.split(os.environ.get(_SUBMIT, "pyspark-shell")))
    submitted = arguments.settings()
    given = {**arguments.files(), **submitted, **options}
    # The builder's jars count for executors, those of the arguments for the driver's class path.
    jars = _with(_with(given.get(_JARS, ""), submitted.get(_JARS, "")), path)
    plugins = _with(given.get(_PLUGINS, ""), PLUGIN)
    if submitted.keys() & {_JARS, _PLUGINS}:
        words = arguments.with_options("--jars", jars, "--conf", f"{_PLUGINS}={plugins}")
        os.environ[_SUBMIT] = " ".join(map(shlex.quote, words))
    return builder.config(_JARS, jars).config(_PLUGINS, plugins)


def _in_running_java(builder: "SparkSession.Builder", options: Dict[str, str]
                     ) -> "SparkSession.Builder":
    """Adds the plugin only: the jar is on the class path, or it is too late."""
    from pyspark import SparkConf, SparkContext

    context = SparkContext._active_spark_context
    if context is not None:
        if PLUGIN not in _names(context.getConf().get(_PLUGINS, "")):
            raise PenstockError(_too_late())
        return builder
    SparkContext._ensure_initialized()  # connects to a Java that spark-submit has started
    if not _is_loadable(PLUGIN):
        raise PenstockError(_too_late())
    given = options.get(_PLUGINS, SparkConf(_jvm=SparkContext._jvm).get(_PLUGINS, "")) or ""
    return builder.config(_PLUGINS, _with(given, PLUGIN))


def _names(listed: str) -> List[str]:
    return [name.strip() for name in listed.split(",") if name.strip()]


def _with(listed: str, more: str) -> str:
    """Joins two lists with commas; each name is there once."""
    return ",".join(dict.fromkeys([*_names(listed), *_names(more)]))


def _spark_path(path: str) -> str:
    """Returns a path as Spark lists it among jars: as a URI, if it has unusual characters."""
    unusual = re.search(r"[][{}*?\\,]", path)
    if unusual:
        raise PenstockError(f"Spark takes no jar from {path}, because of the {unusual.group()} in"
                            " it: install penstock-spark into another directory")
    return path if re.fullmatch(r"[\w./+~@=-]+", path) else pathlib.Path(path).as_uri()


def _refuse_connect(builder: "SparkSession.Builder", options: Dict[str, str]) -> None:
    remote = options.get("spark.remote") or os.environ.get("SPARK_REMOTE", "")
    if remote or type(builder).__module__.startswith("pyspark.sql.connect") or (
            "SPARK_CONNECT_MODE_ENABLED" in os.environ) or _api_mode(options) == "connect":
        # What follows a semicolon may be a token.
        shown = remote.split(";")[0] or "without a URL"
        raise PenstockError(
            f"this is a client of Spark Connect ({shown}), and jars and plugins belong to its"
            f" server: start-connect-server.sh --jars {jar()} --conf {_PLUGINS}={PLUGIN}. A server"
            f" that PySpark starts itself ignores {_PLUGINS}")


def _api_mode(options: Dict[str, str]) -> str:
    mode = (options.get("spark.api.mode") or os.environ.get("SPARK_API_MODE", "")).lower()
    if mode in ("classic", "connect"):
        return mode
    try:
        from pyspark.util import default_api_mode
    except ImportError:  # Spark 3.5 has no modes.
        return "classic"
    return str(default_api_mode())


def _java_runs() -> bool:
    from pyspark import SparkContext

    # spark-submit and the pyspark shell have started Java before they run this program.
    return SparkContext._gateway is not None or "PYSPARK_GATEWAY_PORT" in os.environ


def _is_loadable(name: str) -> bool:
    from pyspark import SparkContext

    java = SparkContext._jvm.java.lang
    try:
        java.Class.forName(name, False, java.Thread.currentThread().getContextClassLoader())
        return True
    except Exception as failure:
        if "ClassNotFoundException" in str(failure):
            return False
        raise


def _too_late() -> str:
    if "PYSPARK_GATEWAY_PORT" in os.environ:
        return ("Java was started by spark-submit or pyspark, without Penstock: give them"
                f" --jars {jar()} --conf {_PLUGINS}={PLUGIN} as well, or put Penstock into that"
                " Spark with 'penstock install'")
    return ("a Spark session of this Python process started without Penstock, and Spark ignores"
            f" {_JARS} and {_PLUGINS} of later ones: restart Python (in a notebook, the kernel), and"
            " call configure() before the first session")
