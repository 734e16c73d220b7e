"""Switches Penstock on for the session that a builder makes."""

import os
import pathlib
import re
import shlex
from typing import TYPE_CHECKING, Dict, List, Optional

from ._jars import jar

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
    ``PYSPARK_SUBMIT_ARGS`` or ``spark-defaults.conf`` name there. Call it before the first session
    of the Python process, and set ``spark.jars`` and ``spark.plugins`` before, not after.

    :raises PenstockError: if a session or a Java process without Penstock runs already, or if the
        session is one of Spark Connect, whose server owns jars and plugins
    """
    options: Dict[str, str] = getattr(builder, "_options", {})
    _refuse_connect(builder, options)
    if not _runs_already():
        _add_to_submit_arguments()
    elif not _plugin_is_loadable():
        raise PenstockError(_too_late())
    path = jar()
    if "," in path:
        raise PenstockError(f"{path} has a comma, which separates the jars in {_JARS}: install"
                            " penstock-spark into another directory")
    given = _given()
    for key, ours in ((_JARS, path), (_PLUGINS, PLUGIN)):
        builder = builder.config(key, _with(options.get(key, given.get(key, "")), ours))
    return builder


def _with(listed: str, ours: str) -> str:
    """Adds an entry to a list with commas, unless it is there."""
    names = [name.strip() for name in listed.split(",") if name.strip()]
    return ",".join(names if ours in names else [*names, ours])


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


def _runs_already() -> bool:
    from pyspark import SparkContext

    # spark-submit and the pyspark shell have started Java before they run this program.
    return SparkContext._gateway is not None or "PYSPARK_GATEWAY_PORT" in os.environ


def _plugin_is_loadable() -> bool:
    """Returns whether a session has Penstock, or a new one could load it in the Java process."""
    from pyspark import SparkContext

    context = SparkContext._active_spark_context
    if context is not None:
        return PLUGIN in context.getConf().get(_PLUGINS, "").split(",")
    if SparkContext._gateway is None:
        # A gateway that spark-submit has started: PySpark connects to it when it needs it first.
        SparkContext._ensure_initialized()
    java = SparkContext._jvm.java.lang
    try:
        java.Class.forName(PLUGIN, False, java.Thread.currentThread().getContextClassLoader())
        return True
    except Exception as failure:
        if "ClassNotFoundException" in str(failure):
            return False
        raise


def _too_late() -> str:
    if "PYSPARK_GATEWAY_PORT" in os.environ:
        return ("Java was started by spark-submit or pyspark, without Penstock: give them"
                f" --jars {jar()} --conf {_PLUGINS}={PLUGIN} instead, or put Penstock into that"
                " Spark with 'penstock install'")
    return ("a Spark session of this Python process started without Penstock, and Spark ignores"
            f" {_JARS} and {_PLUGINS} of later ones: restart Python (in a notebook, the kernel), and"
            " call configure() before the first session")


def _given() -> Dict[str, str]:
    """Returns the settings that the builder's would replace: of arguments and of the file."""
    words = _submit_arguments()
    settings = _file_settings(_option(words, "--properties-file"))
    for place, word in enumerate(words[:-1]):
        if word in ("--conf", "-c") and "=" in words[place + 1]:
            key, value = words[place + 1].split("=", 1)
            settings[key] = value
    listed = _option(words, "--jars")
    if listed is not None:
        settings[_JARS] = listed
    return settings


def _submit_arguments() -> List[str]:
    return shlex.split(os.environ.get(_SUBMIT, ""))


def _option(words: List[str], name: str) -> Optional[str]:
    for place, word in enumerate(words[:-1]):
        if word == name:
            return words[place + 1]
    return None


def _add_to_submit_arguments() -> None:
    """Adds the jar to --jars, where it is given: it then counts instead of spark.jars."""
    words = _submit_arguments()
    if _option(words, "--jars") is not None:
        place = words.index("--jars") + 1
        words[place] = _with(words[place], jar())
        os.environ[_SUBMIT] = " ".join(shlex.quote(word) for word in words)


def _file_settings(named: Optional[str]) -> Dict[str, str]:
    if named is not None:
        return _properties(pathlib.Path(named))
    directory = os.environ.get("SPARK_CONF_DIR")
    if not directory:
        from pyspark.find_spark_home import _find_spark_home

        directory = os.path.join(_find_spark_home(), "conf")
    return _properties(pathlib.Path(directory, "spark-defaults.conf"))


def _properties(file: pathlib.Path) -> Dict[str, str]:
    """Reads Java's properties as far as spark-defaults.conf has them: a key and a value a line."""
    try:
        text = file.read_text(encoding="utf-8")
    except OSError:
        return {}
    settings = {}
    for line in re.sub(r"\\\n\s*", "", text).splitlines():
        found = re.match(r"\s*([^\s#!:=]+)\s*[=:\s]\s*(.*?)\s*$", line)
        if found:
            settings[found.group(1)] = found.group(2)
    return settings
