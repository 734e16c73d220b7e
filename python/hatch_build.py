"""Puts the two jars into the wheel, with the library of the one kind of machine it is for.

PENSTOCK_WHEEL names that kind: a key of MACHINES, or "any" for a wheel without the library, which
analyses logs on Spark only. The default is the machine that builds the wheel.
"""

import os
import pathlib
import platform
import re
import zipfile

from hatchling.builders.hooks.plugin.interface import BuildHookInterface

ROOT = pathlib.Path(__file__).resolve().parent.parent
JARS = ROOT / "dist" / "target"

# DuckDB's library in penstock-cli.jar, and the tag of the machines that can load it. The library
# for Linux needs glibc 2.25.
MACHINES = {
    "linux-x86_64": ("so_linux_amd64", "manylinux_2_26_x86_64"),
    "linux-aarch64": ("so_linux_arm64", "manylinux_2_26_aarch64"),
    "macos-arm64": ("so_macos_arm64", "macosx_11_0_arm64"),
    "windows-amd64": ("so_windows_amd64", "win_amd64"),
    "any": (None, "any"),
}
LIBRARY = "libduckdb_java."


def version():
    """Returns the version of the build, as Python writes it."""
    if not (ROOT / "pom.xml").is_file():
        raise SystemExit("the wheel is built inside the clone: pip 21.3 or later does that")
    text = re.search(r"<artifactId>penstock</artifactId>\s*<version>(.*?)</version>",
                     (ROOT / "pom.xml").read_text()).group(1)
    return text.replace("-SNAPSHOT", ".dev0")


def this_machine():
    system = {"Darwin": "macos"}.get(platform.system(), platform.system().lower())
    name = f"{system}-{platform.machine().lower()}"
    return name if name in MACHINES else "any"


def with_library(source, target, library):
    """Copies a jar without the libraries of other machines."""
    target.parent.mkdir(parents=True, exist_ok=True)
    with zipfile.ZipFile(source) as jar, zipfile.ZipFile(target, "w") as copy:
        for entry in jar.infolist():
            name = entry.filename
            if not name.startswith(LIBRARY) or name == f"{LIBRARY}{library}":
                copy.writestr(entry, jar.read(entry), zipfile.ZIP_DEFLATED)


class CustomBuildHook(BuildHookInterface):
    def initialize(self, version, build_data):
        machine = os.environ.get("PENSTOCK_WHEEL") or this_machine()
        if machine not in MACHINES:
            raise SystemExit(f"PENSTOCK_WHEEL={machine} is none of {', '.join(MACHINES)}")
        library, tag = MACHINES[machine]
        jars = {name: JARS / name for name in ("penstock-spark.jar", "penstock-cli.jar")}
        for jar in jars.values():
            if not jar.is_file():
                raise SystemExit(f"{jar} is missing: run ./mvnw -DskipTests package first")
        cut = JARS / "wheel" / machine / "penstock-cli.jar"
        with_library(jars["penstock-cli.jar"], cut, library)
        build_data["pure_python"] = library is None
        build_data["tag"] = f"py3-none-{tag}"
        build_data["force_include"].update({
            str(jars["penstock-spark.jar"]): "penstock_spark/jars/penstock-spark.jar",
            str(cut): "penstock_spark/jars/penstock-cli.jar",
            str(ROOT / "LICENSE"): "penstock_spark/LICENSE",
            str(ROOT / "NOTICE"): "penstock_spark/NOTICE",
        })
