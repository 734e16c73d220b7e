"""The command ``penstock``: finds Java and runs the tools in penstock-cli.jar with it."""

import glob
import hashlib
import importlib.util
import locale
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
    try:
        return _run(sys.argv[1:])
    except KeyboardInterrupt:
        return 130
    except BrokenPipeError:
        os.dup2(os.open(os.devnull, os.O_WRONLY), 1)  # so that the interpreter's end is silent
        return 1


def _run(words: List[str]) -> int:
    if words[:1] == ["jar"]:
        if len(words) > 1:
            print("usage: penstock jar", file=sys.stderr)
            return 2
        print(jar(), flush=True)
        return 0
    environment = dict(os.environ)
    java = _find_java(environment)
    if java is None:
        home = environment.get("JAVA_HOME")
        print(_NO_JAVA.format(java_home=f"\n  JAVA_HOME is {home}" if home else ""),
              file=sys.stderr)
        return 1
    spark = _spark_home()
    if spark is not None and not environment.get("SPARK_HOME"):
        environment["SPARK_HOME"] = spark
    cache = _cache(environment)
    if not f"{_CLI}{cache}".isascii() and locale.getpreferredencoding(False).lower() != "utf-8":
        environment["LC_ALL"] = "C.UTF-8"  # in ASCII, Java finds no such file
    command = _command(java, words, _prepared(java, cache, environment))
    if os.name == "nt":
        return subprocess.call(command, env=environment)
    os.execve(java, command, environment)


def _command(java: str, words: List[str], prepared: Optional[pathlib.Path]) -> List[str]:
    out = sys.stdout  # None if it is closed
    terminal = out is not None and out.isatty() and os.environ.get("TERM", "dumb") != "dumb"
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


def _cache(environment: Dict[str, str]) -> Optional[pathlib.Path]:
    """Returns the directory of this user's caches; None where there is none."""
    home = os.path.expanduser("~")
    base = environment.get("XDG_CACHE_HOME") or (f"{home}/.cache" if home != "~" else "")
    # A class path has no way to write a separator that is part of a name.
    return pathlib.Path(base, "penstock") if base and os.pathsep not in base else None


def _prepared(java: str, cache: Optional[pathlib.Path], environment: Dict[str, str]
              ) -> Optional[pathlib.Path]:
    """Returns the directory from which commands start fast; makes it if need be and possible."""
    if cache is None or not _is_own(cache, make=True):
        return None
    found = _CLI.stat()
    made_of = f"{_CLI} {found.st_size} {found.st_mtime_ns}"
    directory = cache / ("start-" + hashlib.sha256(made_of.encode()).hexdigest()[:16])
    whole = directory / "complete"
    if not whole.is_file():
        # No collector is named, since the variables of Java may name another one.
        subprocess.run([java, "-XX:TieredStopAtLevel=1", "-cp", str(_CLI),
                        "io.penstock.cli.start.FastStart", str(directory)],
                       stdout=sys.stderr, env=environment)
    if not _is_own(directory, make=False) or not (directory / "args" / "default").is_file():
        return None
    try:
        os.utime(whole)  # what nobody starts from is deleted some day
    except OSError:
        pass
    return directory


def _is_own(directory: pathlib.Path, make: bool) -> bool:
    """Returns whether nobody else can write to a directory, whose files say what is executed."""
    try:
        if make:
            directory.mkdir(mode=0o700, parents=True, exist_ok=True)
        found = directory.stat()
        if os.name == "nt":
            return True
        if found.st_uid != os.getuid():
            return False
        if make and found.st_mode & 0o022:
            directory.chmod(found.st_mode & 0o755)
        return os.access(directory, os.W_OK) and not directory.stat().st_mode & 0o022
    except OSError:
        return False


def _find_java(environment: Dict[str, str]) -> Optional[str]:
    name = "java.exe" if os.name == "nt" else "java"
    home = environment.get("JAVA_HOME")
    candidates = [os.path.join(home, "bin", name)] if home else []
    candidates += [shutil.which("java") or ""]
    for pattern in ("/usr/lib/jvm/*/bin/java", "/opt/*jdk*/bin/java", "/opt/*jre*/bin/java",
                    "/Library/Java/JavaVirtualMachines/*/Contents/Home/bin/java",
                    "/opt/homebrew/opt/openjdk*/bin/java", "/usr/local/opt/openjdk*/bin/java",
                    "~/.sdkman/candidates/java/current/bin/java"):
        candidates += sorted(glob.glob(os.path.expanduser(pattern)))
    return next((java for java in candidates if java and _version(java) >= JAVA_LEAST), None)


def _version(java: str) -> int:
    """Returns the feature release of a Java, or 0: without starting it, where it has that file."""
    path = os.path.realpath(java)
    if not os.access(path, os.X_OK):
        return 0
    release = pathlib.Path(path).parents[1] / "release"
    try:
        text = release.read_text(encoding="utf-8", errors="replace") if release.is_file() else ""
        found = re.search(r'^JAVA_VERSION="(?:1\.)?(\d+)', text, re.MULTILINE)
        said = "" if found else subprocess.run([java, "-version"], capture_output=True,
                                               text=True, errors="replace").stderr
    except OSError:
        return 0
    found = found or re.search(r'version "(?:1\.)?(\d+)', said)
    return int(found.group(1)) if found else 0


def _spark_home() -> Optional[str]:
    """Returns the directory of the PySpark that is installed beside this package."""
    found = importlib.util.find_spec("pyspark")
    places = list(found.submodule_search_locations or []) if found else []
    return next((place for place in places if os.path.isdir(os.path.join(place, "jars"))), None)
