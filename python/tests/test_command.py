"""The command of the installed wheel, as its user starts it."""

import os
import pathlib
import subprocess
import sys
import tempfile
import unittest

import penstock_spark

PENSTOCK = str(pathlib.Path(sys.executable).parent / "penstock")


class CommandTest(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.cache = tempfile.TemporaryDirectory()

    @classmethod
    def tearDownClass(cls):
        cls.cache.cleanup()

    def penstock(self, *words, **environment):
        return subprocess.run([PENSTOCK, *words], capture_output=True, text=True, timeout=300,
                              env={**os.environ, "XDG_CACHE_HOME": self.cache.name, **environment})

    def test_the_jar_is_named_without_java(self):
        run = self.penstock("jar", PATH="", JAVA_HOME="/nowhere")
        self.assertEqual(f"{penstock_spark.jar()}\n", run.stdout)
        self.assertTrue(pathlib.Path(run.stdout.strip()).is_file())

    def test_logs_are_generated_and_analysed(self):
        logs = str(pathlib.Path(self.cache.name, "logs"))
        self.assertEqual(0, self.penstock("logs", "generate", logs, "--requests=2000").returncode)
        run = self.penstock("analyze", logs, "--no-cache")
        self.assertEqual(0, run.returncode, run.stderr)
        self.assertIn("throttled", run.stdout)

    def test_commands_work_where_nothing_can_be_prepared(self):
        run = self.penstock("settings", "endpoint", XDG_CACHE_HOME="/proc/none")
        self.assertEqual(0, run.returncode)
        self.assertIn("penstock.endpoint = ", run.stdout)
        self.assertIn("the commands work, but start more slowly", run.stderr)

    def test_options_of_java_have_the_last_word(self):
        self.penstock("--version")
        run = self.penstock("--version", PENSTOCK_JAVA_OPTS="-XX:+UseParallelGC -Xmx64m"
                            " -XX:+PrintCommandLineFlags")
        self.assertEqual(0, run.returncode, run.stdout + run.stderr)
        self.assertIn("-XX:MaxHeapSize=67108864", run.stdout)
        self.assertIn("-XX:+UseParallelGC", run.stdout)

    def test_an_old_java_is_not_started_and_a_missing_one_is_explained(self):
        with tempfile.TemporaryDirectory() as home:
            java = pathlib.Path(home, "bin", "java")
            java.parent.mkdir()
            java.write_text("#!/bin/sh\necho started; exit 3\n")
            java.chmod(0o755)
            pathlib.Path(home, "release").write_text('JAVA_VERSION="1.8.0_392"\n')
            run = self.penstock("--version", JAVA_HOME=home)
            self.assertNotIn("started", run.stdout)

    def test_wrong_usage_keeps_its_exit_code(self):
        run = self.penstock("demmo")
        self.assertEqual(2, run.returncode)
        self.assertIn("demo", run.stderr)


if __name__ == "__main__":
    unittest.main()
