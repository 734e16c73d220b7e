"""What PySpark's arguments and files say, read as Spark reads them; no Java is started."""

import os
import pathlib
import tempfile
import unittest
from unittest import mock

from penstock_spark._configure import PenstockError, _spark_path, _with
from penstock_spark._settings import SubmitArguments, properties


class SubmitArgumentsTest(unittest.TestCase):
    def test_options_have_two_forms_and_the_last_one_counts(self):
        for words in (["--jars", "a.jar"], ["--jars=a.jar"], ["--conf", "spark.jars=a.jar"],
                      ["--conf=spark.jars=a.jar"], ["-c", "spark.jars=a.jar"],
                      ["--jars", "old.jar", "--jars", "a.jar"],
                      ["--jars", "a.jar", "--conf", "spark.jars=b.jar"]):
            found = SubmitArguments([*words, "pyspark-shell"]).settings()
            self.assertEqual({"spark.jars": "a.jar"}, found, words)

    def test_more_options_come_before_the_program(self):
        words = SubmitArguments(["--jars=a.jar", "pyspark-shell", "x"]).with_options("--jars", "b")
        self.assertEqual(["--jars=a.jar", "--jars", "b", "pyspark-shell", "x"], words)

    def test_a_value_may_look_like_an_option_and_what_follows_the_program_is_none(self):
        words = ["-v", "--driver-java-options", "--jars=no.jar", "--jars", "a.jar", "pyspark-shell",
                 "--jars", "no.jar"]
        arguments = SubmitArguments(words)
        self.assertEqual({"spark.jars": "a.jar"}, arguments.settings())
        self.assertEqual([*words[:5], "--conf", "x=y", *words[5:]],
                         arguments.with_options("--conf", "x=y"))

    def test_a_named_file_replaces_the_defaults_unless_they_are_asked_for(self):
        with tempfile.TemporaryDirectory() as directory:
            pathlib.Path(directory, "spark-defaults.conf").write_text("a 1\nb 1\n")
            named = pathlib.Path(directory, "named.conf")
            named.write_text("b 2\n")
            with mock.patch.dict(os.environ, SPARK_CONF_DIR=directory):
                self.assertEqual({"a": "1", "b": "1"}, SubmitArguments([]).files())
                words = [f"--properties-file={named}"]
                self.assertEqual({"b": "2"}, SubmitArguments(words).files())
                words.append("--load-spark-defaults")
                self.assertEqual({"a": "1", "b": "2"}, SubmitArguments(words).files())


class PropertiesTest(unittest.TestCase):
    def read(self, content):
        with tempfile.TemporaryDirectory() as directory:
            file = pathlib.Path(directory, "spark-defaults.conf")
            file.write_bytes(content)
            return properties(file)

    def test_keys_end_at_a_blank_an_equals_sign_or_a_colon(self):
        found = self.read(b"a 1\nb=2\nc:3\n  d \t = 4  \ne\nf x=y z\r\ng\\ h 5\n")
        self.assertEqual({"a": "1", "b": "2", "c": "3", "d": "4", "e": "", "f": "x=y z",
                          "g h": "5"}, found)

    def test_a_comment_is_never_continued(self):
        self.assertEqual({"a": "1"}, self.read(b"# C:\\\n! x\\\na 1\n"))

    def test_an_odd_number_of_backslashes_continues_a_line(self):
        self.assertEqual({"a": "1,2", "b": "C:\\", "c": "3"},
                         self.read(b"a 1,\\\n   2\nb C:\\\\\nc 3\\"))

    def test_escapes_are_read_and_other_encodings_do_no_harm(self):
        self.assertEqual({"a": "file:/Mx"}, self.read(b"# caf\xe9\na file\\:/\\u004dx\n"))

    def test_a_missing_file_is_empty(self):
        self.assertEqual({}, properties(pathlib.Path("/nowhere/spark-defaults.conf")))


class PathTest(unittest.TestCase):
    def test_lists_keep_their_order_and_have_no_name_twice(self):
        self.assertEqual("a,b", _with("a, b ,a", "b"))
        self.assertEqual("b", _with("", "b"))

    def test_an_unusual_path_is_a_uri_and_an_impossible_one_is_named(self):
        self.assertEqual("/opt/a-b/x_1.jar", _spark_path("/opt/a-b/x_1.jar"))
        self.assertEqual("file:///o%20pt/a%23b/x.jar", _spark_path("/o pt/a#b/x.jar"))
        with self.assertRaisesRegex(PenstockError, r"because of the \[ in it"):
            _spark_path("/opt/a[1]/x.jar")


if __name__ == "__main__":
    unittest.main()
