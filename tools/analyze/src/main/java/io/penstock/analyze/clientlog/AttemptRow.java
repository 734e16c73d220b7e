/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.analyze.clientlog;

import io.penstock.analyze.audit.AuditReferer;
import io.penstock.analyze.request.RequestColumn;
import io.penstock.analyze.request.RequestRow;
import io.penstock.analyze.request.S3Api;
import java.nio.charset.StandardCharsets;
import java.util.Optional;

/** Writes the known facts about an attempt into a row. */
final class AttemptRow {
  private static final byte[] SOURCE = "client_log".getBytes(StandardCharsets.US_ASCII);

  private final AuditReferer audit = new AuditReferer();
  private final LoggedHosts hosts;

  AttemptRow(LoggedHosts hosts) {
    this.hosts = hosts;
  }

  /** Returns the reason why an attempt is not a request to S3; empty when it is one. */
  Optional<String> foreign(LoggedAttempt attempt) {
    RequestTarget target = attempt.target;
    if (attempt.host != null) {
      return LoggedHosts.isS3(attempt.host)
          ? Optional.empty()
          : Optional.of("a call of another service");
    }
    // If the host is unknown: STS, Glue, KMS and others receive a POST to the root, but S3 does
    // not.
    boolean isService =
        target.path().equals("/")
            && ((target.verb().equals("POST") && !target.has("delete")) || target.has("Action"));
    boolean isMetadata =
        target.path().startsWith("/latest/") || target.path().startsWith("/computeMetadata/");
    return isService || isMetadata ? Optional.of("a call of another service") : Optional.empty();
  }

  void fill(LoggedAttempt attempt, LogPlace place, RequestRow row) {
    row.text(RequestColumn.SOURCE, SOURCE);
    row.number(RequestColumn.TS_START, attempt.first.micros());
    row.number(RequestColumn.POSITION, attempt.first.position());
    names(attempt, row);
    RequestTarget target = attempt.target;
    boolean hasKey = row.has(RequestColumn.KEY);
    ApiOf.of(target, hasKey, attempt.copy)
        .ifPresentOrElse(
            row::api,
            () -> row.otherApi(ApiOf.otherName(target, hasKey).getBytes(StandardCharsets.UTF_8)));
    text(row, RequestColumn.UPLOAD_ID, target.value("uploadId"));
    String part = target.value("partNumber");
    row.number(RequestColumn.PART_NO, part == null ? -1 : LoggedHeaders.number(part));
    answer(attempt, row);
    sizes(attempt, row);
    text(row, RequestColumn.INV_ID, attempt.invocation);
    row.number(RequestColumn.ATTEMPT, attempt.number == 0 ? -1 : attempt.number);
    text(row, RequestColumn.USER_AGENT, attempt.userAgent);
    process(attempt, place, row);
  }

  private void names(LoggedAttempt attempt, RequestRow row) {
    String path = attempt.target.path();
    Optional<String> host = Optional.ofNullable(attempt.host).or(hosts::likely);
    Optional<String> bucket = host.flatMap(LoggedHosts::bucket);
    boolean isInPath = bucket.isEmpty() && (host.isPresent() || hosts.mayBeInPath());
    int keyStart = 1;
    if (isInPath) {
      int slash = path.indexOf('/', 1);
      int end = slash < 0 ? path.length() : slash;
      keyStart = Math.min(path.length(), end + 1);
      bucket = end > 1 ? Optional.of(path.substring(1, end)) : Optional.empty();
    }
    bucket.ifPresent(name -> row.text(RequestColumn.BUCKET, name));
    if (keyStart < path.length()) {
      row.text(RequestColumn.KEY, RequestTarget.decoded(path.substring(keyStart)));
    }
  }

  private static void answer(LoggedAttempt attempt, RequestRow row) {
    if (!attempt.isAnswered()) {
      return;
    }
    row.number(RequestColumn.STATUS, attempt.status);
    text(row, RequestColumn.ERR, attempt.error);
    text(row, RequestColumn.REQ_ID, attempt.requestId);
    if (attempt.answeredMicros == 0 || !attempt.first.hasMillis()) {
      return;
    }
    long micros = Math.max(0, attempt.answeredMicros - attempt.first.micros());
    row.number(RequestColumn.TTFB_US, micros);
    // S3 sends the headers of most answers when its work is done, and only a few bytes follow. For
    // a GetObject, reading the body takes additional time, which no line of the log shows.
    if (!row.text(RequestColumn.API).equals(S3Api.GET_OBJECT.apiName())) {
      row.number(RequestColumn.TOTAL_US, micros);
    }
  }

  private static void sizes(LoggedAttempt attempt, RequestRow row) {
    row.number(
        RequestColumn.BYTES_IN,
        attempt.plainBytes >= 0 ? attempt.plainBytes : attempt.requestBytes);
    boolean hasBody = !attempt.target.verb().equals("HEAD");
    row.number(RequestColumn.BYTES_OUT, hasBody ? attempt.answerBytes : -1);
    boolean isHead = !hasBody && attempt.status == 200;
    row.number(RequestColumn.OBJ_SIZE, isHead ? attempt.answerBytes : attempt.objectBytes);
    row.number(RequestColumn.RANGE_START, attempt.rangeStart);
    row.number(RequestColumn.RANGE_END, attempt.rangeEnd);
  }

  private void process(LoggedAttempt attempt, LogPlace place, RequestRow row) {
    if (attempt.referer != null) {
      byte[] referer = attempt.referer.getBytes(StandardCharsets.UTF_8);
      audit.decode(referer, 0, referer.length, row);
      if (attempt.first.hasMillis()) {
        row.number(RequestColumn.TS_START, attempt.first.micros());
      }
      if (attempt.rangeStart >= 0) {
        row.number(RequestColumn.RANGE_START, attempt.rangeStart);
        row.number(RequestColumn.RANGE_END, attempt.rangeEnd);
      }
    }
    text(row, RequestColumn.APP_ID, place.app());
    text(row, RequestColumn.EXEC_ID, place.exec());
  }

  private static void text(RequestRow row, RequestColumn column, String value) {
    if (value != null && !value.isEmpty()) {
      row.text(column, value);
    }
  }
}
