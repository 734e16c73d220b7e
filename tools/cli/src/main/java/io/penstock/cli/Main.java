/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.cli;

import io.penstock.cli.advise.AdviseCommand;
import io.penstock.cli.analyze.AnalyzeCommand;
import io.penstock.cli.checkpoint.CheckpointCommand;
import io.penstock.cli.compare.CompareCommand;
import io.penstock.cli.demo.DemoCommand;
import io.penstock.cli.doctor.DoctorCommand;
import io.penstock.cli.history.HistoryCommand;
import io.penstock.cli.history.UndoCommand;
import io.penstock.cli.install.InstallCommand;
import io.penstock.cli.logs.LogsCommand;
import io.penstock.cli.print.FailureLine;
import io.penstock.cli.print.WholeNames;
import io.penstock.cli.recover.RecoverCommand;
import io.penstock.cli.settings.SettingsCommand;
import io.penstock.cli.simulate.SimulateCommand;
import io.penstock.cli.timeline.TimelineCommand;
import io.penstock.cli.uploads.UploadsCommand;
import io.penstock.cli.weather.WeatherCommand;
import io.penstock.core.config.NearestName;
import java.util.List;
import java.util.Locale;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.ParseResult;
import picocli.CommandLine.Spec;
import picocli.CommandLine.UnmatchedArgumentException;

/** The command {@code penstock}, which groups the tools around the storage layer. */
@Command(
    name = "penstock",
    description =
        "S3 storage layer for Apache Spark, with a demo, an embedded S3 server and tools.",
    mixinStandardHelpOptions = true,
    versionProvider = Main.Version.class,
    footer = {
      "",
      "Also: penstock jar   prints the path of penstock-spark.jar; builds the jar if it is missing",
      "Exit codes: 0 success, 1 failure, 2 wrong usage."
    })
public final class Main implements Runnable {
  private static final List<Class<?>> COMMANDS =
      List.of(
          DemoCommand.class,
          WeatherCommand.class,
          SimulateCommand.class,
          AnalyzeCommand.class,
          AdviseCommand.class,
          CompareCommand.class,
          TimelineCommand.class,
          DoctorCommand.class,
          InstallCommand.class,
          LogsCommand.class,
          CheckpointCommand.class,
          RecoverCommand.class,
          HistoryCommand.class,
          UndoCommand.class,
          UploadsCommand.class,
          SettingsCommand.class);

  @Spec private CommandSpec spec;

  private Main() {}

  public static void main(String[] args) {
    String[] words = withoutHelp(args);
    System.exit(commandLine(words).execute(words));
  }

  /** Takes {@code penstock help demo} for {@code penstock demo --help}. */
  static String[] withoutHelp(String[] args) {
    if (args.length == 0 || args.length > 2 || !args[0].equals("help")) {
      return args;
    }
    return args.length == 1 ? new String[] {"--help"} : new String[] {args[1], "--help"};
  }

  /** Returns the parser of a command line; of all commands it knows the one that is named. */
  private static CommandLine commandLine(String[] args) {
    List<Class<?>> named =
        COMMANDS.stream().filter(command -> args.length > 0 && isNamed(command, args[0])).toList();
    return commandLine(named.isEmpty() ? COMMANDS : named);
  }

  /**
   * Compares the class's name first, which begins with the command's: the first look at a class's
   * annotations takes milliseconds.
   */
  private static boolean isNamed(Class<?> command, String name) {
    return command.getSimpleName().toLowerCase(Locale.ROOT).startsWith(name)
        && command.getAnnotation(Command.class).name().equals(name);
  }

  /** Returns the parser that knows all commands. */
  public static CommandLine commandLine() {
    return commandLine(COMMANDS);
  }

  /** Adds only some commands, because it takes a tenth of a second to learn all their options. */
  private static CommandLine commandLine(List<Class<?>> commands) {
    CommandLine commandLine = new CommandLine(new Main());
    commands.forEach(command -> commandLine.addSubcommand(command));
    WholeNames.printedBy(commandLine);
    return commandLine
        .setUsageHelpWidth(80)
        .setCaseInsensitiveEnumValuesAllowed(true)
        .setExecutionStrategy(new SparkHandoff())
        .setParameterExceptionHandler((wrong, args) -> wrongUsage(wrong))
        .setExecutionExceptionHandler(
            (failure, command, parsed) -> {
              if (!isEnding()) {
                String text = FailureLine.text(failure);
                command.getErr().println("penstock: " + inWordsOf(parsed, text));
              }
              return failure instanceof IllegalArgumentException
                  ? CommandLine.ExitCode.USAGE
                  : CommandLine.ExitCode.SOFTWARE;
            });
  }

  /** Names the option instead of the setting, if the endpoint was given by the option. */
  private static String inWordsOf(ParseResult parsed, String text) {
    ParseResult last = parsed;
    while (last.hasSubcommand()) {
      last = last.subcommand();
    }
    return last.hasMatchedOption("--endpoint")
        ? text.replaceAll("penstock\\.endpoint(?!\\.?\\w)", "--endpoint")
        : text;
  }

  /** Says in one line what is wrong, and where the rest is. */
  private static int wrongUsage(ParameterException wrong) {
    CommandLine command = wrong.getCommandLine();
    command.getErr().println(wrong.getMessage());
    if (wrong instanceof UnmatchedArgumentException unknown && unknown.isUnknownOption()) {
      String name = unknown.getUnmatched().get(0).split("=", 2)[0];
      command.getErr().println("Did you mean " + NearestName.of(name, optionsOf(command)) + "?");
    } else {
      UnmatchedArgumentException.printSuggestions(wrong, command.getErr());
    }
    command.getErr().println("See " + command.getCommandSpec().qualifiedName() + " --help");
    return CommandLine.ExitCode.USAGE;
  }

  private static List<String> optionsOf(CommandLine command) {
    return command.getCommandSpec().options().stream().map(OptionSpec::longestName).toList();
  }

  /** Returns true if the process has been asked to end. Failures after that are not reported. */
  private static boolean isEnding() {
    Thread probe = new Thread(() -> {}, "penstock-probe");
    try {
      Runtime.getRuntime().addShutdownHook(probe);
      Runtime.getRuntime().removeShutdownHook(probe);
      return false;
    } catch (IllegalStateException e) {
      return true;
    }
  }

  @Override
  public void run() {
    spec.commandLine().usage(spec.commandLine().getOut());
  }

  /** Reads the version from the jar's manifest. */
  public static final class Version implements CommandLine.IVersionProvider {
    @Override
    public String[] getVersion() {
      String version = Main.class.getPackage().getImplementationVersion();
      return new String[] {"penstock " + (version == null ? "(development)" : version)};
    }
  }
}
