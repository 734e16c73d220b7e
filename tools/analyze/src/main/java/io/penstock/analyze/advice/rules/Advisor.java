/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.analyze.advice.rules;

import io.penstock.analyze.advice.Advice;
import io.penstock.analyze.advice.AdviceOptions;
import io.penstock.analyze.advice.Evidence;
import io.penstock.analyze.advice.JobSettings;
import io.penstock.analyze.advice.Proof;
import io.penstock.analyze.advice.Rule;
import io.penstock.analyze.analysis.RequestScope;
import io.penstock.analyze.engine.QueryEngine;
import io.penstock.analyze.logs.Filter;
import io.penstock.tables.Kind;
import io.penstock.tables.Table;
import io.penstock.tables.format.Values;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashMap;
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

  private static final String ADVISED = "advised_app";
  private static final String CHOSEN = "select * from chosen_app";
  private static final String NOBODY = "select * from chosen_app where 1 = 0";

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

  /**
   * Returns the advice of some rules. Where the user says which requests are the job's own, only
   * the rules about the load of all see others. An event log of another time than the requests is
   * judged apart from them.
   */
  public static List<Advice> advise(QueryEngine engine, AdviceOptions options, List<Rule> rules)
      throws IOException {
    define(engine, options);
    Queries all = new Queries(engine);
    if (options.app().isPresent() && all.answer("app").isEmpty()) {
      throw new IllegalArgumentException(noSuchApp(options.app().get(), all.answer("apps")));
    }
    GivenLogs given = new GivenLogs(all);
    Map<Rule, Advice> found = new LinkedHashMap<>();
    boolean isWhole = options.own().isEmpty() && !given.areApart();
    try {
      if (given.areApart()) {
        engine.view(ADVISED, NOBODY);
        all = new Queries(engine);
      }
      judgeRequests(engine, all, options, rules, found);
      if (given.areApart()) {
        addOfEvents(engine, options, rules, given, found);
      }
    } finally {
      if (!isWhole) {
        engine.view(ADVISED, CHOSEN);
        RequestScope.widen(engine);
      }
    }
    List<Advice> sorted = new ArrayList<>(found.values());
    sorted.sort(ORDER);
    return given.describe(sorted);
  }

  /** Judges the job's own requests, and where a rule compares them with others all requests. */
  private static void judgeRequests(
      QueryEngine engine,
      Queries all,
      AdviceOptions options,
      List<Rule> rules,
      Map<Rule, Advice> found)
      throws IOException {
    judge(rules.stream().filter(Rule::isOfAllRequests).toList(), all, options, found);
    Queries own = all;
    if (options.own().isPresent()) {
      Table sharers = all.answer("sharers");
      RequestScope.narrow(engine, Filter.saysOf(options.own().get()));
      own = new Queries(engine);
      if (own.answer("sharers").isEmpty() && !sharers.isEmpty()) {
        throw new IllegalArgumentException(noSuchOwner(options.own().get(), sharers));
      }
    }
    judge(rules.stream().filter(rule -> !rule.isOfAllRequests()).toList(), own, options, found);
  }

  /** Adds what an event log says that has nothing to do with the requests. */
  private static void addOfEvents(
      QueryEngine engine,
      AdviceOptions options,
      List<Rule> rules,
      GivenLogs given,
      Map<Rule, Advice> found)
      throws IOException {
    engine.view(ADVISED, CHOSEN);
    RequestScope.narrow(engine, "1 = 0");
    Map<Rule, Advice> ofEvents = new LinkedHashMap<>();
    judge(rules, new Queries(engine), options, ofEvents);
    ofEvents.forEach((rule, advice) -> found.merge(rule, given.ofEvents(advice), Advisor::firmer));
  }

  /** Returns the application that the advice was about: its name and id; empty if there is none. */
  public static String subject(QueryEngine engine) throws IOException {
    Table app = new Queries(engine).answer("app");
    return app.isEmpty()
        ? ""
        : "%s (%s)%s"
            .formatted(
                Values.visible(app.text(0, "name")),
                Values.visible(app.text(0, "app_id")),
                app.text(0, "joined_by").equals("nothing")
                    ? ", and about the requests, which are of another job or time"
                    : "");
  }

  private static Advice firmer(Advice one, Advice other) {
    return one.verdict().compareTo(other.verdict()) <= 0 ? one : other;
  }

  private static void judge(
      List<Rule> rules, Queries queries, AdviceOptions options, Map<Rule, Advice> found)
      throws IOException {
    JobSettings settings =
        new JobSettings(
            queries.answer("app"), queries.answer("settings"), queries.answer("agents"), options);
    for (Rule rule : rules) {
      Map<String, Table> tables = new HashMap<>();
      List<Proof> proofs = new ArrayList<>();
      for (String name : rule.queries()) {
        Table answer = queries.answer(name);
        tables.put(name, answer);
        proofs.add(new Proof(queries.query(name), answer));
      }
      rule.judge(new Evidence(tables, settings, options))
          .ifPresent(advice -> found.put(rule, advice.with(proofs)));
    }
  }

  private static String noSuchOwner(String wanted, Table sharers) {
    List<String> known = new ArrayList<>();
    for (int row = 0; row < Math.min(APPS_NAMED, sharers.rows().size()); row++) {
      known.add(Values.visible(sharers.text(row, "who")));
    }
    return "no role, requester, application or user agent of these requests contains %s; they are of %s"
        .formatted(wanted, String.join(", ", known));
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
   * Defines the application that gets the advice: the one that the user chose; or the one that most
   * requests name, one that ran while they were made, and of several the one that ran longest.
   */
  private static void define(QueryEngine engine, AdviceOptions options) throws IOException {
    String wanted =
        options.app().map(app -> " where app_id = '" + app.replace("'", "''") + "'").orElse("");
    engine.define(
        "chosen_app",
        "select * from s3_applications"
            + wanted
            + " order by named_requests desc, case joined_by when 'time' then 0 else 1 end,"
            + " elapsed_ms desc nulls last, app_id limit 1");
    engine.view(ADVISED, CHOSEN);
  }
}
