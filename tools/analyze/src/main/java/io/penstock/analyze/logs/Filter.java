/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.analyze.logs;

import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * The filter that selects requests.
 *
 * @param from inclusive
 * @param to exclusive
 * @param who a part of the role, requester, application or user agent
 * @param source the source to use when several sources contain the same requests; for a bucket
 *     without requests from this source, the best source is used
 */
public record Filter(
    Optional<Instant> from,
    Optional<Instant> to,
    Optional<String> bucket,
    Optional<String> prefix,
    Optional<String> who,
    Optional<String> source) {
  /**
   * The sources, best first. Access logs have latency and all clients; request logs have Penstock's
   * own requests; CloudTrail has all clients; client logs have the attempts of one client.
   */
  public static final List<String> SOURCES =
      List.of("access_log", "request_log", "cloudtrail", "client_log");

  /** A filter that selects all requests. */
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

  /** Returns the filter as SQL conditions, to be joined by "and". */
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

  /** Returns the condition that the role, requester, application or user agent contains a text. */
  public static String saysOf(String text) {
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
