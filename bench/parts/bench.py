# Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0
"""The vocabulary of a case. A case declares its question, its variants and its options; from here
it has the jars and the store, sessions of Spark by variant, rounds by turns, tables, and where its
results go."""

import contextlib
import functools
import json
import pathlib
import time

import harness
import variants as known_variants
from harness import Problem, median, number, say

METAVARS = {int: "N", float: "X", str: "TEXT"}


class Bench:
    """A case while it runs. What needs time or the network is made when it is needed first."""

    def __init__(self, description, variants=None, default_variants=None, has_store=True,
                 has_json=True, **defaults):
        self.parser = harness.parser(description)
        self.variants = variants or {}
        self.converters, self.least, self.listings = {}, {}, []
        self.given = self.store = self.where = None
        if has_store:
            harness.common_options(self.parser)
        if variants:
            self.names("--only", {name: title for name, (title, *_) in variants.items()},
                       "of the variants, only these", default_variants, dest="variants")
        if has_json:
            self.file("--json", "json", "where the results go")
        self.parser.set_defaults(**defaults)

    # ---- options

    def option(self, name, default, what="", metavar=None, least=None):
        """One with a value of the default's type; a type in place of the default has none. Whole
        numbers are 1 at least, or 0 when that is the default."""
        kind = default if isinstance(default, type) else type(default)
        has_default = kind is not default
        if kind is int:
            self.least[dest_of(name)] = least if least is not None else (
                min(default, 1) if has_default else 0)
        self.parser.add_argument(
            name, type=kind, default=default if has_default else None,
            metavar=metavar or METAVARS.get(kind, "PATH"),
            help=with_default(what) if has_default else what)

    def choice(self, name, choices, what=""):
        """One of some words, the first unless said otherwise."""
        self.parser.add_argument(name, choices=choices, default=choices[0], help=with_default(what))

    def flag(self, name, what, **more):
        self.parser.add_argument(name, action="store_true", help=what, **more)

    def names(self, name, known, what="only these", default=None, dest=None):
        """A list of names, each of them known; all of them unless said otherwise. Known ones with
        a title are listed below the options."""
        dest = dest or dest_of(name)
        self.parser.add_argument(
            name, dest=dest, default=",".join(known if default is None else default),
            metavar="NAME,…", help=with_default(what))
        if isinstance(known, dict):
            width = max(map(len, known)) + 1
            self.listings.append("%s:\n%s" % (dest, "\n".join(
                "  %s %s" % (one.ljust(width), title_of(known[one])) for one in known)))

        def listed(text):
            is_all = text == "all" and "all" not in known
            found = list(known) if is_all else [one for one in text.split(",") if one]
            for one in found:
                if one not in known:
                    self.error("no %s; there are %s" % (one, ", ".join(known)))
            return found
        self.converters[dest] = listed

    def numbers(self, name, default, what, metavar="N,…", known=None):
        """A list of whole numbers, of which the known ones are allowed."""
        def listed(text):
            try:
                found = [int(one) for one in text.split(",") if one]
            except ValueError:
                self.error("%s are whole numbers with commas between them" % name)
            if known is not None and not set(found) <= set(known):
                self.error("%s are of %s" % (name, ", ".join(map(str, known))))
            return found
        self.parser.add_argument(name, default=default, metavar=metavar, help=with_default(what))
        self.converters[dest_of(name)] = listed

    def settings(self, name="--conf", what="a setting of Spark for all"):
        """Settings NAME=VALUE, as a map."""
        def mapped(texts):
            odd = [text for text in texts if "=" not in text]
            if odd:
                self.error("%s %s is not NAME=VALUE" % (name, odd[0]))
            return dict(text.split("=", 1) for text in texts)
        self.parser.add_argument(name, action="append", default=[], metavar="NAME=VALUE",
                                 help=what + "; may be repeated")
        self.converters[dest_of(name)] = mapped

    def file(self, name, ending, what):
        file = "%s.%s" % (harness.SCRIPT, ending)
        self.parser.add_argument(name, type=pathlib.Path, default=harness.WORK / file,
                                 metavar="FILE", help="%s (default: bench/.work/%s)" % (what, file))

    def faults_option(self, rules, what="strike requests"):
        self.parser.add_argument("--faults", nargs="?", const=rules, metavar="RULES",
                                 help="%s, as in 'penstock weather --faults' (default of the rules:"
                                 " %s)" % (what, rules.replace("%", "%%")))

    def shaped_options(self, bandwidth="30M"):
        """Connections of a limited speed, as those of S3 have."""
        self.parser.set_defaults(latency="40ms")
        self.option("--bandwidth", bandwidth, "a second, of a connection; 'none' has no limit",
                    "SIZE")
        self.option("--slots", 2, "tasks at once")

    def spark_options(self):
        """Those of a case that starts its servers itself."""
        self.parser.add_argument("--spark-python", type=pathlib.Path, metavar="PATH",
                                 help="a Python that has pyspark; otherwise one is made in"
                                 " bench/.work")
        self.jars_option()

    def jars_option(self):
        self.parser.add_argument("--penstock-jars", type=pathlib.Path, metavar="DIR",
                                 help="measure the jars in this directory; otherwise './penstock"
                                 " jar' builds them")

    def attack_options(self, latency=None, programs=("minio",)):
        """Those of a case that attacks what it starts itself."""
        if latency:
            self.option("--latency", latency, "of each request", "TIME")
        self.seed_option()
        self.server_programs(*programs)
        self.spark_options()

    def server_programs(self, *names):
        for name in names:
            self.parser.add_argument("--" + name, metavar="PATH",
                                     help="its program; found otherwise, or built")

    def seed_option(self):
        self.option("--seed", 1, "of all chance", least=0)

    def goals(self):
        harness.goal_options(self.parser)

    def parse(self):
        self.parser.epilog = "\n\n".join(self.listings)
        self.given = given = self.parser.parse_args()
        for dest, converter in self.converters.items():
            setattr(given, dest, converter(getattr(given, dest)))
        for dest, least in self.least.items():
            value = getattr(given, dest)
            if value is not None and value < least:
                self.error("--%s must be %d at least" % (dest.replace("_", "-"), least))
        return given

    def error(self, text):
        self.parser.error(text)

    def main(self, run):
        harness.main(run)

    # ---- what is needed

    @functools.cached_property
    def python(self):
        return harness.spark_python(self.given.spark_python)

    @functools.cached_property
    def version(self):
        return harness.spark_version(self.python)

    @functools.cached_property
    def jars(self):
        """The directory with Penstock's jars."""
        return harness.penstock_jars(self.given.penstock_jars)

    @functools.cached_property
    def s3a(self):
        """S3A's jars, when a variant needs them."""
        foreign = [name for name in getattr(self.given, "variants", ())
                   if not known_variants.is_ours(name, self.variants) and name != "disk"
                   and not known_variants.is_iceberg(name)]
        return harness.s3a_jars(self.version) if foreign else {}

    def prepare(self):
        """Before a server starts: what is missing is fetched and built."""
        return self.version, self.s3a, self.jars

    def class_path(self, name):
        if known_variants.is_ours(name, self.variants):
            return [self.jars / "penstock-spark.jar"]
        return known_variants.class_path(name, self.jars, self.s3a)

    def title(self, name):
        return self.variants[name][0]

    @property
    def master(self):
        return "local[%d]" % getattr(self.given, "slots", 2)

    @property
    def shape(self):
        """What the weather is told of the speed of a connection."""
        bandwidth = self.given.bandwidth
        return [] if bandwidth in ("", "none") else ["--bandwidth", bandwidth]

    def told_where(self, store, *more):
        """Sets and returns what is said of the place of a run."""
        bandwidth = getattr(self.given, "bandwidth", None)
        shape = ["bandwidth %s a connection" % bandwidth] if bandwidth else []
        self.where = ", ".join(["Spark " + self.version, *(more or [self.master]), store.name,
                                "latency " + self.given.latency, *shape])
        return self.where

    @contextlib.contextmanager
    def counted_store(self, *arguments):
        """The store that is asked for behind the counter, in the weather of these arguments."""
        self.prepare()
        with harness.counted_store(self.given, self.jars, arguments) as self.store:
            self.told_where(self.store)
            yield self.store

    @contextlib.contextmanager
    def shaped_store(self, make):
        """The store with connections of the speed that is asked for, and the data that make(store)
        puts into it. They are made in calm, except in the embedded S3, which forgets everything
        when the weather changes."""
        self.prepare()
        given = self.given
        with harness.server(given) as server:
            if server.upstream:
                with harness.weather(given, server, self.jars, latency="none") as self.store:
                    say("  making the data")
                    make()
            with harness.weather(given, server, self.jars, *self.shape) as self.store:
                self.told_where(self.store)
                if not server.upstream:
                    say("  making the data")
                    make()
                yield self.store

    # ---- runs

    def spark(self, script, job, name, variant="penstock", settings=None, more_jars=(), store=None,
              class_path=None, **more):
        """A Spark session of its own, set up as a variant is; what its job said."""
        store = store or self.store
        job = {"endpoint": store.endpoint, "bucket": store.bucket, **job}
        known = self.variants.get(variant) or known_variants.ALL[variant]
        timeout = more.pop("timeout", None) or self.given.timeout
        jars = self.class_path(variant) if class_path is None else class_path
        return harness.run_spark(
            self.python, script, [json.dumps(job)], store, [*jars, *more_jars],
            {"spark.master": self.master, **known[1], **(settings or {})}, name, timeout, **more)

    def counted(self, script, job, variant, settings=None, more_jars=(), by="case", name=None):
        """What a session said of each of its cases, with the requests of each: {case: what}."""
        section = section_name(name or variant)
        said = self.spark(script, {"section": section, **job}, name or variant, variant, settings,
                          more_jars)
        logged = harness.sections(self.store.access_log)
        for case in said:
            requests = logged["%s-%s" % (section, case[by])]
            case.update(requests=requests.total, operations=dict(requests.operations),
                        kinds=dict(requests.kinds))
        return {case[by]: case for case in said}

    def requests(self, section):
        return harness.sections(self.store.access_log)[section]

    def rounds(self, rounds, one, tell=None, names=None, is_turned=False):
        """{variant: [what one(variant) found in each round]}; every other round in the other
        order, so that no variant always comes first."""
        names = names or self.given.variants
        runs = {name: [] for name in names}
        for turn in range(rounds):
            for name in names[:: 1 if turn % 2 == is_turned else -1]:
                runs[name].append(one(name))
                say("  %-18s %s" % (self.title(name), (tell or told_seconds)(runs[name][-1])))
        return runs

    # ---- results

    def save(self, **results):
        """Writes the results, also those so far: what came before an interruption is not lost."""
        where = {"where": self.where} if self.where else {}
        self.given.json.parent.mkdir(parents=True, exist_ok=True)
        self.given.json.write_text(json.dumps(
            {"machine": harness.machine(), **where, **results}, indent=1, default=str) + "\n")

    def head(self, text):
        """Prints what was run and where."""
        print("\n%s\n" % "\n".join(filter(None, [text, self.where, harness.machine()])))

    def case_table(self, corner, runs, case, columns):
        """The runs of one case, a row for each variant."""
        rows = {self.title(name): [run[case] for run in mine if case in run]
                for name, mine in runs.items()}
        return table_of(corner, {title: ran for title, ran in rows.items() if ran}, columns)

    def over_budget(self, lines):
        """Says what was over its budget, and gives the exit code."""
        for line in lines:
            say("over budget: " + line)
        return 1 if lines and self.given.assert_budgets else 0


def dest_of(option):
    return option.lstrip("-").replace("-", "_")


def with_default(what):
    return "%s (default: %%(default)s)" % what if what else "default: %(default)s"


def title_of(value):
    return value if isinstance(value, str) else value[0]


def section_name(name):
    """One that no other run has."""
    return "%s-%d" % (name, int(time.time() * 1000))


def told_seconds(found):
    return ", ".join("%s %.2f s" % (case, ran["seconds"]) for case, ran in found.items())


def check_same(runs, what=""):
    """Wrong content is worse than slow content: each case must find the same in all runs."""
    for case in {case for mine in runs.values() for run in mine for case in run}:
        found = {json.dumps(run[case]["found"]) for mine in runs.values() for run in mine
                 if case in run}
        if len(found) > 1:
            raise Problem("%scase %s: not all have read the same: %s" % (what, case, found))


def table_of(corner, rows, columns, left=1):
    """A table with a row for each of {title: value}, and a cell for each of {heading: function of
    the value}."""
    return harness.table([[corner, *columns], *(
        [title, *(str(cell(value)) for cell in columns.values())]
        for title, value in rows.items())], left)


def columns_of(values, columns, left=1):
    """The same where headings are not all different: [(heading, function of a value)]."""
    return harness.table([[heading for heading, _ in columns], *(
        [str(cell(value)) for _, cell in columns] for value in values)], left)


# ---- columns of runs, each a function of the runs of one row

def middle(runs, name="seconds"):
    return median([run[name] for run in runs])


def typical(runs, name="total"):
    """The median run as a whole, so that its figures belong together."""
    return sorted(runs, key=lambda run: run[name])[len(runs) // 2]


def kinds(cell):
    """A column for each kind of request, with a cell by (the runs of a row, the kind)."""
    return {"DEL" if kind == "DELETE" else kind: lambda runs, kind=kind: cell(runs, kind)
            for kind in harness.KINDS}


def median_of(name, text="%.2f s", scale=1):
    return lambda runs: text % (middle(runs, name) / scale)


def all_of(name="seconds", text="%.2f"):
    return lambda runs: " ".join(text % run[name] for run in runs)


def last_of(name):
    return lambda runs: number(runs[-1][name])


def operations_of(operation):
    return lambda runs: number(runs[-1]["operations"].get(operation, 0))


def ratio_to(base, name="seconds"):
    """To the runs of one row."""
    return lambda runs: "%.2f" % (middle(runs, name) / middle(base, name)) if base else "-"


MEDIAN, CPU, ALL_RUNS = median_of("seconds"), median_of("cpu", "%.1f s"), all_of()
