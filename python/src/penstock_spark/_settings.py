"""The settings that a session starts with, as Spark reads them before Java runs."""

import os
import pathlib
import re
from typing import Dict, List, Optional, Tuple

# The options of spark-submit that have no value.
_SWITCHES = ("--help", "-h", "--load-spark-defaults", "--supervise", "--usage-error", "--verbose",
             "-v", "--version")
_ESCAPES = {"t": "\t", "n": "\n", "r": "\r", "f": "\f"}


class SubmitArguments:
    """The words of PYSPARK_SUBMIT_ARGS: options as spark-submit takes them, then the program."""

    def __init__(self, words: List[str]):
        self._words = words
        self._options: List[Tuple[str, str]] = []
        place = 0
        while place < len(words) and words[place].startswith("-"):
            # Both --name value and --name=value are options; a value may look like an option.
            name, equals, value = words[place].partition("=")
            if not equals and name not in _SWITCHES:
                place += 1
                value = words[place] if place < len(words) else ""
            self._options.append((name, value))
            place += 1
        self._program = place

    def option(self, name: str) -> Optional[str]:
        """Returns the value of an option; the last one counts."""
        found = [value for option, value in self._options if option == name]
        return found[-1] if found else None

    def settings(self) -> Dict[str, str]:
        """Returns what --conf and --jars set."""
        settings = {}
        for name, value in self._options:
            if name in ("--conf", "-c") and "=" in value:
                key, setting = value.split("=", 1)
                settings[key] = setting
        jars = self.option("--jars")
        if jars is not None:
            settings["spark.jars"] = jars
        return settings

    def files(self) -> Dict[str, str]:
        """Returns the settings of the files that spark-submit reads for these arguments."""
        named = self.option("--properties-file")
        if named is None:
            return properties(_defaults_file())
        defaults = properties(_defaults_file()) if self.option("--load-spark-defaults") is not None else {}
        return {**defaults, **properties(pathlib.Path(named))}

    def with_options(self, *options: str) -> List[str]:
        """Returns the words with more options, which count instead of earlier ones."""
        return [*self._words[:self._program], *options, *self._words[self._program:]]


def _defaults_file() -> pathlib.Path:
    directory = os.environ.get("SPARK_CONF_DIR")
    if not directory:
        from pyspark.find_spark_home import _find_spark_home

        directory = os.path.join(_find_spark_home(), "conf")
    return pathlib.Path(directory, "spark-defaults.conf")


def properties(file: pathlib.Path) -> Dict[str, str]:
    """Reads a file in the format of Java's properties; one that is not there is empty."""
    try:
        text = file.read_text(encoding="utf-8", errors="replace")
    except OSError:
        return {}
    settings = {}
    for line in _logical_lines(re.split(r"\r\n|\r|\n", text)):
        found = re.match(r"((?:\\.|[^\\=: \t\f])*)[ \t\f]*[=:]?[ \t\f]*(.*)", line, re.DOTALL)
        if found and found.group(1):
            # Spark strips values.
            settings[_unescaped(found.group(1))] = _unescaped(found.group(2)).strip()
    return settings


def _logical_lines(lines: List[str]) -> List[str]:
    """Joins lines that an odd number of backslashes continues, and drops comments."""
    joined: List[str] = []
    open_line: Optional[str] = None
    for line in lines:
        text = line.lstrip(" \t\f")
        if open_line is None and (not text or text[0] in "#!"):
            continue
        text = (open_line or "") + text
        is_open = (len(text) - len(text.rstrip("\\"))) % 2 == 1
        open_line = text[:-1] if is_open else None
        if not is_open:
            joined.append(text)
    return joined if open_line is None else [*joined, open_line]


def _unescaped(text: str) -> str:
    def character(found: "re.Match[str]") -> str:
        code = found.group(1)
        return chr(int(code[1:], 16)) if len(code) == 5 else _ESCAPES.get(code, code)

    return re.sub(r"\\(u[0-9a-fA-F]{4}|.)", character, text, flags=re.DOTALL)
