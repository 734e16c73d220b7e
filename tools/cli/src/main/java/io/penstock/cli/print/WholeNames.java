/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.cli.print;

import java.util.Arrays;
import java.util.HashMap;
import java.util.Map;
import picocli.CommandLine;
import picocli.CommandLine.Help;
import picocli.CommandLine.Help.ColorScheme;
import picocli.CommandLine.IHelpSectionRenderer;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;

/**
 * Help that breaks its lines between words only. Picocli also breaks them within names, such as
 * spark-defaults.conf or 08:00:00, which can then not be copied.
 */
public final class WholeNames extends Help {
  /** Where picocli breaks a line, if a name goes on after it. */
  private static final String BREAKABLE = "-.:=/,…";

  /** Letters that are in no help, one in place of each of those while lines are broken. */
  private static final String LETTERS = "ƀƃƅƈƌƒƙ";

  private WholeNames(CommandSpec spec, ColorScheme colors) {
    super(spec, colors);
  }

  /** Lets a command line and its subcommands print such help. */
  public static void printedBy(CommandLine commandLine) {
    commandLine.setHelpFactory(WholeNames::new);
    marksAreThemselves(commandLine);
  }

  private static void marksAreThemselves(CommandLine commandLine) {
    Map<String, IHelpSectionRenderer> sections = new HashMap<>(commandLine.getHelpSectionMap());
    sections.replaceAll((name, section) -> help -> themselves(section.render(help)));
    commandLine.getHelpSectionMap().putAll(sections);
    commandLine.getSubcommands().values().forEach(WholeNames::marksAreThemselves);
  }

  @Override
  public IOptionRenderer createDefaultOptionRenderer() {
    IOptionRenderer usual = super.createDefaultOptionRenderer();
    return (option, labels, colors) ->
        usual.render(option.negatable() ? option : joined(option), labels, colors);
  }

  /** A copy has no command any more, without which picocli cannot show a negatable option. */
  private static OptionSpec joined(OptionSpec option) {
    return option.toBuilder()
        .names(option.names())
        .description(joined(option.description()))
        .build();
  }

  @Override
  public IParameterRenderer createDefaultParameterRenderer() {
    IParameterRenderer usual = super.createDefaultParameterRenderer();
    return (parameter, labels, colors) ->
        usual.render(
            parameter.toBuilder().description(joined(parameter.description())).build(),
            labels,
            colors);
  }

  private static String[] joined(String[] lines) {
    return Arrays.stream(lines).map(WholeNames::joined).toArray(String[]::new);
  }

  private static String joined(String line) {
    StringBuilder joined = new StringBuilder(line);
    for (int i = 1; i < line.length() - 1; i++) {
      int mark = BREAKABLE.indexOf(line.charAt(i));
      boolean isWithinAName = line.charAt(i - 1) != ' ' && line.charAt(i + 1) != ' ';
      if (mark >= 0 && isWithinAName) {
        joined.setCharAt(i, LETTERS.charAt(mark));
      }
    }
    return joined.toString();
  }

  private static String themselves(String text) {
    String found = text;
    for (int i = 0; i < LETTERS.length(); i++) {
      found = found.replace(LETTERS.charAt(i), BREAKABLE.charAt(i));
    }
    return found;
  }
}
