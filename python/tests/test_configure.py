"""The installed wheel with the PySpark beside it: each case is a Python process of its own.

Run by the Python of an environment that has both: ``python -m unittest discover python/tests``.
With PENSTOCK_TEST_ENDPOINT and AWS's variables for keys, a table is written to the bucket lake.
"""

import os
import pathlib
import subprocess
import sys
import tempfile
import textwrap
import unittest

import pyspark

import penstock_spark

FILE_SYSTEM = r"io\.penstock\.hadoop\.\w+FileSystem"
PLUGIN = "io.penstock.spark.PenstockPlugin"
BUILDER = """
from penstock_spark import PenstockError, configure, jar
from pyspark import SparkContext
from pyspark.sql import SparkSession
builder = (SparkSession.builder.master("local[1]").config("spark.ui.enabled", "false")
           .config("spark.driver.host", "127.0.0.1"))
"""
SHOWN = """
context = SparkContext._active_spark_context
print("plugins", context.getConf().get("spark.plugins"))
print("jars", context.getConf().get("spark.jars"))
print("fs", spark._jsc.hadoopConfiguration().get("fs.s3.impl"))
"""
STARTED = BUILDER + "spark = configure(builder).getOrCreate()\n" + SHOWN


class Case(unittest.TestCase):
    def setUp(self):
        self.directory = self.enterContext(tempfile.TemporaryDirectory()) if hasattr(
            self, "enterContext") else tempfile.mkdtemp()
        self.environment = {
            key: value for key, value in os.environ.items()
            if not key.startswith(("SPARK_", "PYSPARK_"))}
        self.environment["PYSPARK_PYTHON"] = sys.executable
        # A session of seconds is not worth the optimizing compiler.
        self.environment["JDK_JAVA_OPTIONS"] = "-XX:TieredStopAtLevel=1 -XX:+UseSerialGC"

    def run_python(self, program, command=(sys.executable,), **environment):
        script = pathlib.Path(self.directory, "program.py")
        script.write_text(textwrap.dedent(program), encoding="utf-8")
        return subprocess.run([*command, str(script)], env={**self.environment, **environment},
                              cwd=self.directory, capture_output=True, text=True, timeout=300)

    def said(self, program, **environment):
        """Runs a program, which must succeed, and returns what it printed as words by name."""
        run = self.run_python(program, **environment)
        self.assertEqual(0, run.returncode, run.stderr[-3000:])
        return dict(line.split(" ", 1) for line in run.stdout.splitlines() if " " in line)

    def file(self, name, text):
        path = pathlib.Path(self.directory, name)
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")
        return path


class ConfigureTest(Case):
    def test_a_session_has_the_plugin_and_the_jar_of_the_wheel(self):
        said = self.said(STARTED + """
print("same", configure(SparkSession.builder).getOrCreate() is spark)
""")
        self.assertEqual("True", said["same"])
        self.assertEqual(PLUGIN, said["plugins"])
        self.assertEqual(penstock_spark.jar(), said["jars"])
        self.assertRegex(said["fs"], FILE_SYSTEM)

    def test_what_the_builder_names_already_stays(self):
        other = self.file("other.jar", "")
        said = self.said(BUILDER + f"""
builder = builder.config("spark.jars", {str(other)!r}).config("spark.jars.ivy", "/nowhere")
once = configure(builder)
spark = configure(once).getOrCreate()
""" + SHOWN)
        self.assertEqual(f"{other},{penstock_spark.jar()}", said["jars"])
        self.assertEqual(PLUGIN, said["plugins"])

    def test_jars_of_the_submit_arguments_stay(self):
        other = self.file("other.jar", "")
        for written in (f"--jars='{other}'", f"--conf spark.jars={other}"):
            said = self.said(STARTED, PYSPARK_SUBMIT_ARGS=f"{written} pyspark-shell")
            self.assertEqual(f"{other},{penstock_spark.jar()}", said["jars"])
            self.assertRegex(said["fs"], FILE_SYSTEM)

    def test_jars_of_the_defaults_file_stay(self):
        other = self.file("other.jar", "")
        self.file("conf/spark-defaults.conf", f"# a comment\nspark.jars  {other}\n")
        said = self.said(STARTED, SPARK_CONF_DIR=str(pathlib.Path(self.directory, "conf")))
        self.assertEqual(f"{other},{penstock_spark.jar()}", said["jars"])

    def test_a_second_session_of_the_process_works_if_the_first_had_the_jar(self):
        said = self.said(STARTED + """
spark.stop()
spark = configure(builder).getOrCreate()
print("again", SparkContext._active_spark_context.getConf().get("spark.plugins"))
print("rows", spark.range(3).count())
""")
        self.assertEqual(PLUGIN, said["again"])
        self.assertEqual("3", said["rows"])

    def refusal(self, program, **environment):
        run = self.run_python(program, **environment)
        self.assertNotEqual(0, run.returncode)
        return run.stderr.strip().splitlines()[-1]

    def test_a_session_without_penstock_is_named_with_the_remedy(self):
        for stop in ("", "spark.stop()"):
            line = self.refusal(BUILDER + f"""
spark = builder.getOrCreate()
{stop}
configure(builder)
""")
            self.assertIn("PenstockError: a Spark session of this Python process started without"
                          " Penstock", line)
            self.assertIn("restart Python (in a notebook, the kernel)", line)

    def test_spark_submit_without_the_jar_is_told_its_options(self):
        submit = pathlib.Path(pyspark.__file__).parent / "bin" / "spark-submit"
        run = self.run_python(BUILDER + "configure(builder)", command=(str(submit),))
        self.assertNotEqual(0, run.returncode)
        self.assertIn(f"--jars {penstock_spark.jar()} --conf spark.plugins={PLUGIN}",
                      run.stdout + run.stderr)

    def test_spark_submit_with_the_jar_works(self):
        submit = pathlib.Path(pyspark.__file__).parent / "bin" / "spark-submit"
        other = self.file("other.jar", "")
        run = self.run_python(STARTED, command=(
            str(submit), "--jars", f"{other},{penstock_spark.jar()}"))
        self.assertEqual(0, run.returncode, run.stderr[-3000:])
        self.assertRegex(run.stdout, f"jars .*{other}")  # else executors would lack it
        self.assertRegex(run.stdout, f"fs {FILE_SYSTEM}")

    def test_a_client_of_spark_connect_is_told_that_its_server_has_the_jars(self):
        imported = "from penstock_spark import configure\nfrom pyspark.sql import SparkSession\n"
        for builder, environment, shown in (
                (".remote('sc://127.0.0.1:1/;token=secret')", {}, "sc://127.0.0.1:1/"),
                ("", {"SPARK_REMOTE": "sc://127.0.0.1:1"}, "sc://127.0.0.1:1"),
                (".remote('local[1]')", {}, "local[1]"),
                *([(".config('spark.api.mode', 'connect')", {}, "without a URL")]
                  if int(pyspark.__version__.split(".")[0]) >= 4 else [])):
            line = self.refusal(f"{imported}configure(SparkSession.builder{builder})", **environment)
            self.assertIn(f"PenstockError: this is a client of Spark Connect ({shown}),", line)
            self.assertIn("start-connect-server.sh --jars", line)
            self.assertNotIn("secret", line)

    @unittest.skipUnless(os.environ.get("PENSTOCK_TEST_ENDPOINT"), "needs an S3 store")
    def test_a_table_is_written_and_read(self):
        said = self.said(BUILDER + """
import os
spark = (configure(builder)
         .config("spark.hadoop.penstock.endpoint", os.environ["PENSTOCK_TEST_ENDPOINT"])
         .getOrCreate())
path = "s3://lake/wheel-" + spark.sparkContext.applicationId
spark.range(10).write.parquet(path)
print("rows", spark.read.parquet(path).count())
""")
        self.assertEqual("10", said["rows"])


if __name__ == "__main__":
    unittest.main()
