/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.analyze.clientlog;

import io.penstock.analyze.errortext.ErrorTexts;
import io.penstock.analyze.errortext.Troubles;
import io.penstock.tables.Kind;
import io.penstock.tables.Table;
import io.penstock.tables.TableShape;
import java.io.Serializable;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The facts other than requests in the logs of drivers, executors and YARN's application masters:
 * when each application began and how it ended, and the answers of S3 that exceptions name. The
 * facts are added while the logs are read, by any number of threads.
 */
public final class ClientFacts implements Serializable {
  private static final long serialVersionUID = 1L;
  private static final int MOST = 10_000;
  private static final Pattern ATTEMPT =
      Pattern.compile("ApplicationAttemptId: appattempt_(\\d+_\\d+)_(\\d{1,9})");
  private static final Pattern STATUS = Pattern.compile("Final app status: (\\w+)");

  private static final class Application implements Serializable {
    private static final long serialVersionUID = 1L;

    Long startMicros;
    Long endMicros;
    String status;
    long attempts;

    Double elapsedMillis() {
      return startMicros == null || endMicros == null
          ? null
          : (Double) ((endMicros - startMicros) / 1e3);
    }
  }

  private static final TableShape<Map.Entry<String, Application>> APPLICATIONS =
      new TableShape<Map.Entry<String, Application>>("client_apps", "Applications of YARN")
          .with("app_id", Kind.TEXT, Map.Entry::getKey)
          .with("started", Kind.TIME, app -> instant(app.getValue().startMicros))
          .with("ended", Kind.TIME, app -> instant(app.getValue().endMicros))
          .with("elapsed_ms", Kind.MILLIS, app -> app.getValue().elapsedMillis())
          .with("final_status", Kind.TEXT, app -> app.getValue().status)
          .with("attempts", Kind.COUNT, app -> app.getValue().attempts);

  private final TreeMap<String, Application> applications = new TreeMap<>();
  private final ErrorTexts errors = new ErrorTexts();
  private final Troubles troubles = new Troubles();

  void errors(ErrorTexts read) {
    errors.add(read);
  }

  /** Returns the answers of S3 that exceptions name. */
  public ErrorTexts errors() {
    return errors;
  }

  /** Returns what else the logs tell of trouble. */
  public Troubles troubles() {
    return troubles;
  }

  void event(LogEvent event, LogPlace place) {
    Matcher attempt = ATTEMPT.matcher(event.message());
    if (attempt.find()) {
      started("application_" + attempt.group(1), Long.parseLong(attempt.group(2)), event.micros());
      return;
    }
    Matcher status = STATUS.matcher(event.message());
    if (status.find() && !place.app().isEmpty()) {
      ended(place.app(), status.group(1), event.micros());
    }
  }

  private synchronized void started(String app, long attempt, long micros) {
    Application application = application(app);
    if (application != null) {
      application.attempts = Math.max(application.attempts, attempt);
      application.startMicros =
          application.startMicros == null ? micros : Math.min(application.startMicros, micros);
    }
  }

  private synchronized void ended(String app, String status, long micros) {
    Application application = application(app);
    // If an application has several attempts, the last one decides.
    if (application != null && (application.endMicros == null || application.endMicros <= micros)) {
      application.endMicros = micros;
      application.status = status;
    }
  }

  /** Adds the facts from parts of the logs that were read on another machine. */
  void add(ClientFacts other) {
    errors.add(other.errors);
    troubles.add(other.troubles);
    other.applications.forEach(
        (app, known) -> {
          if (known.startMicros != null) {
            started(app, known.attempts, known.startMicros);
          }
          if (known.endMicros != null) {
            ended(app, known.status, known.endMicros);
          }
        });
  }

  private Application application(String app) {
    return applications.size() < MOST
        ? applications.computeIfAbsent(app, key -> new Application())
        : applications.get(app);
  }

  /** Returns the table {@code client_apps}, with one row for each application. */
  public synchronized Table applications() {
    return APPLICATIONS.of(applications.entrySet());
  }

  private static Instant instant(Long micros) {
    return micros == null ? null : Instant.EPOCH.plus(micros, ChronoUnit.MICROS);
  }
}
