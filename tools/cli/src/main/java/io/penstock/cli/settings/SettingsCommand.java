/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.cli.settings;

import io.penstock.core.config.ConfigKey;
import io.penstock.core.config.NearestName;
import io.penstock.core.stack.StoreStack;
import java.io.PrintWriter;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.stream.IntStream;
import java.util.stream.Stream;
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
          "penstock: no setting has '%s' in it; %s"
              .formatted(
                  word,
                  meant(word)
                      .map(name -> "did you mean " + name + "?")
                      .orElse("penstock settings shows all of them")));
    }
    return found ? 0 : 1;
  }

  /** Returns the part of a setting's name that may be meant, if the word is nearly one. */
  private static Optional<String> meant(String word) {
    List<String> parts =
        StoreStack.keys(SettingsCommand.class.getClassLoader()).stream()
            .flatMap(key -> parts(key.fullName()))
            .distinct()
            .toList();
    return NearestName.slip(word, parts);
  }

  /** Returns each part of a name between dots, and each run of such parts. */
  private static Stream<String> parts(String name) {
    List<String> words = List.of(name.split("\\.", -1));
    return IntStream.range(0, words.size())
        .boxed()
        .flatMap(
            from ->
                IntStream.rangeClosed(from + 1, words.size())
                    .mapToObj(to -> String.join(".", words.subList(from, to))));
  }
}
