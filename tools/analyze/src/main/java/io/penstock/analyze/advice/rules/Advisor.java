/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.analyze.advice.rules;

import io.penstock.analyze.advice.Advice;
import io.penstock.analyze.advice.AdviceOptions;
import io.penstock.analyze.advice.Evidence;
import io.penstock.analyze.advice.JobSettings;
import io.penstock.analyze.advice.Proof;
import io.penstock.analyze.advice.Rule;
import io.penstock.analyze.engine.QueryEngine;
import io.penstock.tables.Kind;
import io.penstock.tables.Table;
import io.penstock.tables.format.Values;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** Runs the queries that the rules need and collects the advice of the rules. */
public final class Advisor {
  private static final Comparator<Advice> ORDER =
      Comparator.comparing(Advice::verdict)
          .thenComparing(Comparator.comparingDouble(Advice::gainPercent).reversed())
          .thenComparing(Advice::confidence)
          .thenComparingInt(advice -> Integer.parseInt(advice.rule().substring(1)));

  private static final int APPS_NAMED = 10;

  private Advisor() {}

  /**
   * Returns the advice of all rules, ordered by verdict and then by the expected gain, largest
   * first. Advice without evidence comes last.
   *
   * @throws IllegalArgumentException if the user chose an application that no log is of
   */
  public static List<Advice> advise(QueryEngine engine, AdviceOptions options) throws IOException {
    return advise(engine, options, Rules.all());
  }

  /** Returns the advice of some rules. */
  public static List<Advice> advise(QueryEngine engine, AdviceOptions options, List<Rule> rules)
      throws IOException {
    define(engine, options);
    Queries queries = new Queries(engine);
    if (options.app().isPresent() && queries.answer("app").isEmpty()) {
      throw new IllegalArgumentException(noSuchApp(options.app().get(), queries.answer("apps")));
    }
    JobSettings settings =
        new JobSettings(
            queries.answer("app"), queries.answer("settings"), queries.answer("agents"), options);
    GivenLogs given = new GivenLogs(queries);
    List<Advice> all = new ArrayList<>();
    for (Rule rule : rules) {
      Map<String, Table> tables = new HashMap<>();
      List<Proof> proofs = new ArrayList<>();
      for (String name : rule.queries()) {
        Table answer = queries.answer(name);
        tables.put(name, answer);
        proofs.add(new Proof(queries.query(name), answer));
      }
      rule.judge(new Evidence(tables, settings, options))
          .ifPresent(advice -> all.add(advice.with(proofs)));
    }
    all.sort(ORDER);
    return given.describe(all);
  }

  private static String noSuchApp(String wanted, Table apps) {
    List<String> known = new ArrayList<>();
    for (int row = 0; row < Math.min(APPS_NAMED, apps.rows().size()); row++) {
      known.add(Values.visible(apps.text(row, "app_id")));
    }
    int more = apps.rows().size() - known.size();
    if (more > 0) {
      known.add(Values.of(Kind.COUNT, more) + " more");
    }
    return "there is no event log of the application %s; %s"
        .formatted(
            wanted,
            known.isEmpty()
                ? "none of these logs is an event log"
                : "the given event logs are of " + String.join(", ", known));
  }

  /**
   * Defines the application that gets the advice: the one that the user chose, or the one that ran
   * longest.
   */
  private static void define(QueryEngine engine, AdviceOptions options) throws IOException {
    String wanted =
        options.app().map(app -> " where app_id = '" + app.replace("'", "''") + "'").orElse("");
    engine.view(
        "advised_app",
        "select * from spark_apps"
            + wanted
            + " order by elapsed_ms desc nulls last, app_id limit 1");
  }
}
