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
        self.assertEqual("", run.stderr)

    def test_options_of_java_have_the_last_word(self):
        self.penstock("--version")
        run = self.penstock("--version", PENSTOCK_JAVA_OPTS="-XX:+UseParallelGC -Xmx64m"
                            " -XX:+PrintCommandLineFlags")
        self.assertEqual(0, run.returncode, run.stdout + run.stderr)
        self.assertIn("-XX:MaxHeapSize=67108864", run.stdout)
        self.assertIn("-XX:+UseParallelGC", run.stdout)

    def test_an_old_java_is_passed_by_without_being_started(self):
        with tempfile.TemporaryDirectory() as home:
            java = pathlib.Path(home, "bin", "java")
            java.parent.mkdir()
            java.write_text("#!/bin/sh\necho started; exit 3\n")
            java.chmod(0o755)
            pathlib.Path(home, "release").write_text('JAVA_VERSION="1.8.0_392"\n')
            run = self.penstock("--version", JAVA_HOME=home)
            self.assertEqual(0, run.returncode)
            self.assertNotIn("started", run.stdout)

    def test_files_of_others_are_not_executed(self):
        with tempfile.TemporaryDirectory() as shared:
            self.penstock("--version", XDG_CACHE_HOME=shared)
            start = next(pathlib.Path(shared, "penstock").glob("start-????????????????"))
            pathlib.Path(start, "args", "default").write_text("-Dno=option\n-version\n")
            self.assertIn("Runtime Environment", self.penstock("jars", XDG_CACHE_HOME=shared).stderr)
            start.chmod(0o777)
            self.assertIn("Unmatched", self.penstock("jars", XDG_CACHE_HOME=shared).stderr)

    def test_a_group_may_not_write_what_is_executed(self):
        with tempfile.TemporaryDirectory() as cache:
            subprocess.run(["sh", "-c", f"umask 002; '{PENSTOCK}' --version"], check=True,
                           capture_output=True, env={**os.environ, "XDG_CACHE_HOME": cache})
            start = next(pathlib.Path(cache, "penstock").glob("start-????????????????"))
            self.assertEqual([], [path.name for path in start.rglob("*")
                                  if path.stat().st_mode & 0o022 and path.name != "complete"])

    def test_what_a_kill_left_is_prepared_again(self):
        with tempfile.TemporaryDirectory() as cache:
            self.penstock("--version", XDG_CACHE_HOME=cache)
            start = next(pathlib.Path(cache, "penstock").glob("start-????????????????"))
            for name in ("complete", "classes.jsa"):
                pathlib.Path(start, name).unlink()
            self.penstock("--version", XDG_CACHE_HOME=cache, JAVA_TOOL_OPTIONS="-XX:+UseG1GC")
            self.assertTrue(pathlib.Path(start, "classes.jsa").is_file())

    def test_a_cache_whose_name_no_class_path_can_have_is_not_used(self):
        with tempfile.TemporaryDirectory(suffix=":x") as cache:
            run = self.penstock("--version", XDG_CACHE_HOME=cache)
            self.assertEqual((0, ""), (run.returncode, run.stderr))

    def test_a_java_that_does_not_run_is_passed_by(self):
        with tempfile.TemporaryDirectory() as home:
            java = pathlib.Path(home, "bin", "java")
            java.parent.mkdir()
            java.write_bytes(b"\x7fELF of another machine")
            java.chmod(0o755)
            self.assertEqual(0, self.penstock("--version", JAVA_HOME=home).returncode)

    def test_wrong_usage_keeps_its_exit_code(self):
        run = self.penstock("demmo")
        self.assertEqual(2, run.returncode)
        self.assertIn("demo", run.stderr)


if __name__ == "__main__":
    unittest.main()
