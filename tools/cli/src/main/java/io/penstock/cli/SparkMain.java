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
 * The commands inside a Spark that {@link SparkSubmit} started. Spark logs to standard error too,
 * so what the commands say there is marked.
 */
public final class SparkMain {
  /** Begins each line of ours on standard error. */
  static final String MARK = "@penstock ";

  /** Stands behind {@link #MARK} when the command came to its end, whatever its exit code. */
  static final String END = "@end";

  private SparkMain() {}

  /** Takes the name of a file that has the arguments, each behind a zero but the first. */
  public static void main(String[] args) throws IOException {
    Path file = Path.of(args[0]);
    List<String> arguments = decode(Files.readString(file));
    // It may hold secrets, and whoever started this may not live to remove it.
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
