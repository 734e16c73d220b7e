/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.cli.settings;

import io.penstock.core.config.ConfigKey;
import io.penstock.core.stack.StoreStack;
import java.io.PrintWriter;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** The command {@code penstock settings}: lists all settings as declared in the code. */
@Command(
    name = "settings",
    description = "Prints the settings of the storage layer: name, default, meaning, aliases.",
    mixinStandardHelpOptions = true)
public final class SettingsCommand implements Callable<Integer> {
  @Spec private CommandSpec spec;

  @Parameters(
      arity = "0..1",
      paramLabel = "WORD",
      description = "Show only settings whose name, alias or description contains WORD.")
  private String word;

  @Override
  public Integer call() {
    PrintWriter out = spec.commandLine().getOut();
    boolean found = false;
    for (ConfigKey<?> key : StoreStack.keys(SettingsCommand.class.getClassLoader())) {
      String text = key.fullName() + " " + key.doc() + " " + key.aliases();
      if (word == null || text.contains(word)) {
        found = true;
        String shown = key.defaultText().isEmpty() ? "not set" : key.defaultText();
        out.println(key.fullName() + " = " + shown + "  (" + key.type() + ")");
        out.println("    " + key.doc().replaceAll("(.{1,74})(\\s|$)", "$1\n    ").stripTrailing());
        if (!key.otherNames().isEmpty()) {
          out.println("    also read: " + String.join(", ", key.otherNames()));
        }
      }
    }
    out.flush();
    if (!found) {
      PrintWriter err = spec.commandLine().getErr();
      err.println(
          "penstock: no setting has '" + word + "' in it; penstock settings shows all of them");
    }
    return found ? 0 : 1;
  }
}
