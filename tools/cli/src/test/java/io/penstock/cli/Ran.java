/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.cli;

import java.io.PrintWriter;
import java.io.StringWriter;
import java.util.List;
import picocli.CommandLine;

/**
 * A command that was run in this process.
 *
 * @param out what it printed
 * @param err what it complained about
 */
public record Ran(int exitCode, String out, String err) {
  public static Ran penstock(String... arguments) {
    StringWriter out = new StringWriter();
    StringWriter err = new StringWriter();
    CommandLine commandLine =
        Main.commandLine().setOut(new PrintWriter(out)).setErr(new PrintWriter(err));
    int exitCode = commandLine.execute(arguments);
    return new Ran(exitCode, out.toString(), err.toString());
  }

  public List<String> lines() {
    return out.lines().toList();
  }

  /** Returns what it printed, with a space in place of each line end and indentation. */
  public String unwrapped() {
    return out.replaceAll("\\s+", " ");
  }

  /** The complaint alone, without the help that follows one about usage. */
  public String complaint() {
    return err.lines().findFirst().orElse("");
  }
}
