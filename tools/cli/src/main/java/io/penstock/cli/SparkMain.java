/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.cli;

import java.io.IOException;
import java.io.OutputStreamWriter;
import java.io.PrintWriter;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import picocli.CommandLine;

/**
 * Runs the commands inside a Spark that {@link SparkSubmit} started. Spark logs to standard error
 * too, so the lines of the commands are marked there.
 */
public final class SparkMain {
  /** The mark before each line of a command on standard error. */
  static final String MARK = "@penstock ";

  /** Follows {@link #MARK} when the command has ended, with any exit code. */
  static final String END = "@end";

  private SparkMain() {}

  /** Takes the name of a file that contains the arguments, separated by zero characters. */
  public static void main(String[] args) throws IOException {
    Path file = Path.of(args[0]);
    List<String> arguments = decode(Files.readString(file));
    // The file may contain secrets, and the process that started this one may die before it deletes
    // it.
    Files.delete(file);
    PrintWriter out = new PrintWriter(new OutputStreamWriter(System.out, StandardCharsets.UTF_8));
    PrintWriter err = new PrintWriter(new MarkedLines(MARK, System.err), true);
    int code =
        Main.commandLine()
            .setExecutionStrategy(new CommandLine.RunLast())
            .setOut(out)
            .setErr(err)
            .execute(arguments.toArray(new String[0]));
    out.flush();
    err.println(END);
    err.flush();
    System.exit(code);
  }

  static String encode(List<String> arguments) {
    return String.join("\0", arguments);
  }

  private static List<String> decode(String text) {
    return List.of(text.split("\0", -1));
  }
}
