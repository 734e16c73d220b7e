"""The command ``penstock``: finds Java and runs the tools in penstock-cli.jar with it."""

import hashlib
import importlib.util
import os
import pathlib
import re
import shutil
import subprocess
import sys
from typing import Dict, List, Optional

from ._jars import DIRECTORY, jar

JAVA_LEAST = 17
_CLI = DIRECTORY / "penstock-cli.jar"
_OPTIONS = ("PENSTOCK_JAVA_OPTS", "JAVA_TOOL_OPTIONS", "JDK_JAVA_OPTIONS", "_JAVA_OPTIONS")
_NO_JAVA = """penstock: no Java 17 or later found.{java_home}
  Install one and try again:
    Debian, Ubuntu   apt-get install openjdk-17-jre-headless
    Fedora, RHEL     dnf install java-17-openjdk-headless
    macOS            brew install openjdk@17
  or point JAVA_HOME at one."""


def main() -> int:
    """Runs the command line of this process. Returns its exit code where it cannot be replaced."""
    words = sys.argv[1:]
    if words == ["jar"]:
        print(jar())
        return 0
    java = _find_java(os.environ)
    if java is None:
        home = os.environ.get("JAVA_HOME")
        print(_NO_JAVA.format(java_home=f"\n  JAVA_HOME is {home}" if home else ""),
              file=sys.stderr)
        return 1
    command = _command(java, words, _prepared(java, words))
    environment = dict(os.environ)
    spark = _spark_home()
    if spark is not None:
        environment.setdefault("SPARK_HOME", spark)
    if os.name == "nt":
        return subprocess.call(command, env=environment)
    sys.stdout.flush()
    os.execve(java, command, environment)


def _command(java: str, words: List[str], prepared: Optional[pathlib.Path]) -> List[str]:
    terminal = sys.stdout.isatty() and os.environ.get("TERM", "dumb") != "dumb"
    return [
        java,
        *([f"@{_arguments(prepared, words)}"] if prepared else []),
        f"-Dpenstock.terminal={str(terminal).lower()}",
        f"-Dpenstock.columns={shutil.get_terminal_size().columns}",
        *os.environ.get("PENSTOCK_JAVA_OPTS", "").split(),
        *(["io.penstock.cli.Main"] if prepared else ["-jar", str(_CLI)]),
        *words,
    ]


def _arguments(prepared: pathlib.Path, words: List[str]) -> pathlib.Path:
    """Returns the argument file of a command; io.penstock.cli.start.FastStart explains them."""
    of_command = prepared / "args" / (words[0] if words and words[0].isalpha() else "default")
    if of_command.name != "default" and of_command.is_file():
        return of_command
    options = " ".join(os.environ.get(name, "") for name in _OPTIONS)
    # The JVM takes one collector only, so none is named if any may be elsewhere.
    names_another = re.search(r"-XX:\+Use\w*GC|@", options)
    return prepared / "args" / ("any-collector" if names_another else "default")


def _prepared(java: str, words: List[str]) -> Optional[pathlib.Path]:
    """Returns the directory from which commands start fast; makes it if need be and possible."""
    home = os.path.expanduser("~")
    cache = os.environ.get("XDG_CACHE_HOME") or (f"{home}/.cache" if home != "~" else "")
    if not cache:
        return None
    found = _CLI.stat()
    made_of = f"{_CLI} {found.st_size} {found.st_mtime_ns}"
    name = "start-" + hashlib.sha256(made_of.encode()).hexdigest()[:16]
    directory = pathlib.Path(cache, "penstock", name)
    if not (directory / "args" / "default").is_file():
        quick = ["-XX:+UseSerialGC", "-XX:TieredStopAtLevel=1"] if not any(
            os.environ.get(option) for option in _OPTIONS) else []
        made = subprocess.run([java, *quick, "-cp", str(_CLI), "io.penstock.cli.start.FastStart",
                               str(directory)], stdout=sys.stderr).returncode
        if made != 0:
            print("Preparing failed; the commands work, but start more slowly.", file=sys.stderr)
    return directory if (directory / "args" / "default").is_file() else None


def _find_java(environment: Dict[str, str]) -> Optional[str]:
    name = "java.exe" if os.name == "nt" else "java"
    home = environment.get("JAVA_HOME")
    candidates = [os.path.join(home, "bin", name)] if home else []
    candidates += [shutil.which("java") or ""]
    for pattern in ("/usr/lib/jvm/*/bin/java", "/opt/*jdk*/bin/java", "/opt/*jre*/bin/java",
                    "/Library/Java/JavaVirtualMachines/*/Contents/Home/bin/java"):
        root, rest = pattern[1:].split("/", 1)
        candidates += sorted(map(str, pathlib.Path("/", root).glob(rest)))
    return next((java for java in candidates if java and _version(java) >= JAVA_LEAST), None)


def _version(java: str) -> int:
    """Returns the feature release of a Java, or 0: without starting it, where it has that file."""
    path = os.path.realpath(java)
    if not os.access(path, os.X_OK):
        return 0
    try:
        text = pathlib.Path(path).parents[1].joinpath("release").read_text(encoding="utf-8")
        found = re.search(r'^JAVA_VERSION="(?:1\.)?(\d+)', text, re.MULTILINE)
    except OSError:
        found = None
    if not found:
        said = subprocess.run([java, "-version"], capture_output=True, text=True).stderr
        found = re.search(r'version "(?:1\.)?(\d+)', said)
    return int(found.group(1)) if found else 0


def _spark_home() -> Optional[str]:
    """Returns the directory of the PySpark that is installed beside this package."""
    found = importlib.util.find_spec("pyspark")
    places = list(found.submodule_search_locations or []) if found else []
    return next((place for place in places if os.path.isdir(os.path.join(place, "jars"))), None)
