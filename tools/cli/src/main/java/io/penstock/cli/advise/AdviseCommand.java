/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.cli.advise;

import io.penstock.analyze.advice.Advice;
import io.penstock.analyze.advice.AdviceJson;
import io.penstock.analyze.advice.AdviceOptions;
import io.penstock.analyze.advice.Client;
import io.penstock.analyze.advice.Rule;
import io.penstock.analyze.advice.Version;
import io.penstock.analyze.advice.rules.Advisor;
import io.penstock.analyze.advice.rules.Rules;
import io.penstock.cli.input.Labels;
import io.penstock.cli.input.LogsOptions;
import io.penstock.cli.input.LogsProgress;
import io.penstock.cli.input.PriceOptions;
import io.penstock.cli.print.Wrapped;
import io.penstock.tables.Label;
import java.io.IOException;
import java.io.PrintWriter;
import java.util.Iterator;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/**
 * The command {@code penstock advise}: recommends changes to a job, with the numbers that support
 * them.
 */
@Command(
    name = "advise",
    description =
        "Recommends which settings to change and which to keep, and lists the questions that the"
            + " logs cannot answer. Each recommendation shows the measured numbers, the expected"
            + " effect and how to verify it.",
    mixinStandardHelpOptions = true)
public final class AdviseCommand implements Callable<Integer> {
  private enum Format {
    TABLE,
    JSON,
    MD
  }

  /** Lists the names of the rules for the help text. */
  static final class RuleNames implements Iterable<String> {
    @Override
    public Iterator<String> iterator() {
      return Rules.labels().stream().map(Label::name).iterator();
    }
  }

  @Spec private CommandSpec spec;

  @Mixin private LogsOptions logs;

  @Mixin private PriceOptions prices;

  @Option(
      names = "--explain",
      split = ",",
      paramLabel = "RULE",
      description = "Show the queries of these rules, and the rows that each query returned.")
  private List<String> explained = List.of();

  @Option(
      names = "--rule",
      split = ",",
      paramLabel = "RULE",
      completionCandidates = RuleNames.class,
      description =
          "Run only these rules (name or id, such as R5): ${COMPLETION-CANDIDATES}."
              + " docs/advise.md says when each applies.")
  private List<String> asked = List.of();

  @Option(
      names = "--emit",
      paramLabel = "FORMAT",
      description =
          "Print the recommended changes as settings: spark-defaults, pod-template or"
              + " hadoop-xml.")
  private String emitted;

  @Option(
      names = "--format",
      defaultValue = "table",
      description = "table, json or md. Default: ${DEFAULT-VALUE}.")
  private Format format;

  @Option(
      names = "--cores",
      paramLabel = "N",
      description = "Number of cores of the job. Needed only without a Spark event log.")
  private Integer cores;

  @Option(
      names = "--own",
      paramLabel = "TEXT",
      description =
          "Text in the role, requester, application or user agent that identifies the job. All"
              + " rules look at its requests only, but rate-control and no-rate-control, which use"
              + " the job's share of the load. Default: all requests, and for that share the"
              + " requester with the most.")
  private String own;

  @Option(
      names = "--app",
      paramLabel = "ID",
      description =
          "The application to make recommendations for, if the logs have several. Default: the one"
              + " that the requests name, or that ran while they were made; else the one that ran"
              + " longest.")
  private String app;

  @Option(
      names = "--hadoop",
      paramLabel = "VERSION",
      description = "Version of Hadoop. Needed only if no log has it.")
  private String hadoop;

  @Option(
      names = "--client",
      paramLabel = "NAME",
      description =
          "S3 client to recommend settings for: s3a, emrfs or penstock. Default: detected from the"
              + " logs.")
  private Client client;

  @Override
  public Integer call() throws IOException {
    List<Rule> rules = rules();
    AdviceOptions options = options();
    Optional<io.penstock.analyze.advice.emit.Format> file = Optional.empty();
    if (emitted != null) {
      file = Optional.of(file(emitted));
    }
    LogsProgress progress = new LogsProgress(spec.commandLine().getErr());
    List<Advice> all;
    String subject;
    try (LogsOptions.Opened opened = logs.open(progress)) {
      all = Advisor.advise(opened.data().engine(), options, rules);
      subject = Advisor.subject(opened.data().engine());
    }
    if (file.isPresent()) {
      print(file.get().write(all));
    } else if (!explained.isEmpty()) {
      print(explanation(all));
    } else {
      print(
          switch (format) {
            case TABLE -> AdviceText.of(all, subject);
            case JSON -> AdviceJson.of(all);
            case MD -> AdviceMarkdown.of(all);
          });
    }
    return 0;
  }

  private List<Rule> rules() {
    List<String> ids = explained.isEmpty() ? asked : explained;
    if (ids.isEmpty()) {
      return Rules.all();
    }
    return ids.stream()
        .map(text -> Labels.find("rule", text, Rules.labels()))
        .map(label -> Rules.byId(label.id()).orElseThrow())
        .toList();
  }

  private AdviceOptions options() {
    if (cores != null && cores < 1) {
      throw new IllegalArgumentException("--cores must be positive, got " + cores);
    }
    Optional<Version> version = Optional.ofNullable(hadoop).flatMap(Version::in);
    if (hadoop != null && version.isEmpty()) {
      throw new IllegalArgumentException(
          "--hadoop=" + hadoop + " is not a version; write it as 3.4.2");
    }
    return new AdviceOptions(
        Optional.ofNullable(cores),
        Optional.ofNullable(own),
        Optional.ofNullable(app),
        version,
        Optional.ofNullable(client),
        prices.prices());
  }

  private static io.penstock.analyze.advice.emit.Format file(String title) {
    for (io.penstock.analyze.advice.emit.Format known :
        io.penstock.analyze.advice.emit.Format.values()) {
      if (known.title().equalsIgnoreCase(title)) {
        return known;
      }
    }
    throw new IllegalArgumentException(
        "--emit=" + title + ": it can be spark-defaults, pod-template or hadoop-xml");
  }

  private String explanation(List<Advice> all) throws IOException {
    StringBuilder text = new StringBuilder();
    for (Rule rule : rules()) {
      Optional<Advice> advice =
          all.stream().filter(one -> one.rule().equals(rule.id())).findFirst();
      text.append(
          advice.isPresent()
              ? AdviceText.explanation(advice.get())
              : Wrapped.text(
                  "",
                  "  ",
                  rule.label().idAndName()
                      + " has nothing to say: its question does not arise for this job, or"
                      + " another rule answers it (rate-control and no-rate-control are one"
                      + " question)."));
    }
    return text.toString();
  }

  private void print(String text) {
    PrintWriter out = spec.commandLine().getOut();
    out.println(text.stripTrailing());
    out.flush();
  }
}
