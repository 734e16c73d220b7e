/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.analyze.logs;

import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * The requests that are looked at.
 *
 * @param from inclusive
 * @param to exclusive
 * @param who a part of the role, requester, application or user agent
 * @param source of the logs, when they are of several that tell of the same requests; of a bucket
 *     that it does not tell of, the best one is taken
 */
public record Filter(
    Optional<Instant> from,
    Optional<Instant> to,
    Optional<String> bucket,
    Optional<String> prefix,
    Optional<String> who,
    Optional<String> source) {
  /**
   * Sorts of logs by how much they say: latency and all clients; our own; all clients; attempts of
   * one client.
   */
  public static final List<String> SOURCES =
      List.of("access_log", "request_log", "cloudtrail", "client_log");

  /** All of them. */
  public static final Filter NONE =
      new Filter(
          Optional.empty(),
          Optional.empty(),
          Optional.empty(),
          Optional.empty(),
          Optional.empty(),
          Optional.empty());

  public Filter {
    if (from.isPresent() && to.isPresent() && !from.get().isBefore(to.get())) {
      throw new IllegalArgumentException(
          "nothing is from %s on and before %s".formatted(from.get(), to.get()));
    }
    if (source.isPresent() && !SOURCES.contains(source.get())) {
      throw new IllegalArgumentException(
          "there is no source %s; there are %s"
              .formatted(source.get(), String.join(", ", SOURCES)));
    }
  }

  /** Conditions in SQL, to be joined by "and". */
  List<String> conditions() {
    List<String> conditions = new ArrayList<>();
    from.ifPresent(instant -> conditions.add("ts_start >= " + timestamp(instant)));
    to.ifPresent(instant -> conditions.add("ts_start < " + timestamp(instant)));
    bucket.ifPresent(name -> conditions.add("bucket = " + literal(name)));
    prefix.ifPresent(
        text ->
            conditions.add(
                "substr(key, 1, "
                    + text.codePointCount(0, text.length())
                    + ") = "
                    + literal(text)));
    who.ifPresent(text -> conditions.add(saysOf(text)));
    return conditions;
  }

  private static String saysOf(String text) {
    return Stream.of("role_arn", "requester", "app_id", "user_agent")
        .map(column -> "instr(coalesce(" + column + ", ''), " + literal(text) + ") > 0")
        .collect(Collectors.joining(" or ", "(", ")"));
  }

  private static String timestamp(Instant instant) {
    String text = instant.toString();
    return "cast('" + text.substring(0, text.length() - 1).replace('T', ' ') + "' as timestamp)";
  }

  static String literal(String text) {
    return "'" + text.replace("'", "''") + "'";
  }
}
