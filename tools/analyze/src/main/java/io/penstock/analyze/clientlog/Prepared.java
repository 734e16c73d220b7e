/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.analyze.clientlog;

import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A request as the SDK logs it before it passes the request to the HTTP client.
 *
 * @param host null when the line does not name the host
 * @param invocation the SDK's id of the call; null when the line does not contain it
 */
record Prepared(RequestTarget target, String host, String invocation, boolean copy) {
  private static final Pattern V1_PARAMETER = Pattern.compile("\"([^\"]+)\":\\[(?:\"([^\"]*)\")?");
  private static final String V2 = "DefaultSdkHttpFullRequest(";

  /** Reads the text after {@code Sending Request: } or {@code Retrying Request: }. */
  static Optional<Prepared> of(String text) {
    return text.startsWith(V2) ? v2(text.substring(V2.length())) : v1(text);
  }

  /**
   * Reads VERB http://host /path[ Parameters: ({"name":["value"],…}][Headers: (name: value, …)].
   */
  private static Optional<Prepared> v1(String text) {
    String[] words = text.split(" ", 4);
    if (words.length < 3 || !words[2].startsWith("/")) {
      return Optional.empty();
    }
    String more = words.length < 4 ? "" : words[3];
    String headers = LoggedHeaders.after(more, "Headers: (");
    String invocation = LoggedHeaders.after(headers, "amz-sdk-invocation-id: ");
    int comma = invocation.indexOf(',');
    return RequestTarget.of(words[0] + " " + words[2])
        .map(
            target ->
                new Prepared(
                    new RequestTarget(target.verb(), target.path(), v1Query(more)),
                    host(words[1]),
                    comma < 0 ? null : invocation.substring(0, comma),
                    headers.contains("x-amz-copy-source: ")));
  }

  private static String v1Query(String more) {
    int end = more.indexOf("Headers: (");
    Matcher parameter = V1_PARAMETER.matcher(end < 0 ? more : more.substring(0, end));
    StringBuilder query = new StringBuilder();
    while (parameter.find()) {
      query.append(query.isEmpty() ? "" : "&").append(parameter.group(1));
      if (parameter.group(2) != null) {
        query.append('=').append(URLEncoder.encode(parameter.group(2), StandardCharsets.UTF_8));
      }
    }
    return query.toString();
  }

  /**
   * Reads SDK v2's form, which has only the names of headers and parameters. It shows that a part
   * is uploaded, but not which one.
   */
  private static Optional<Prepared> v2(String text) {
    String path = field(text, "encodedPath=");
    String query = LoggedHeaders.after(text, "queryParameters=[");
    int end = query.indexOf(']');
    String names = end < 0 ? "" : query.substring(0, end).replace(", ", "&");
    String headers = LoggedHeaders.after(text, "headers=[");
    String host = field(text, "host=");
    return RequestTarget.of(field(text, "httpMethod=") + " " + (path.isEmpty() ? "/" : path))
        .map(
            target ->
                new Prepared(
                    new RequestTarget(target.verb(), target.path(), names),
                    host.isEmpty() ? null : host,
                    null,
                    headers.contains("x-amz-copy-source")));
  }

  private static String field(String text, String name) {
    String value = LoggedHeaders.after(text, name);
    int end = value.indexOf(", ");
    return end < 0 ? value : value.substring(0, end);
  }

  private static String host(String address) {
    String host = LoggedHeaders.after(address, "//");
    return host.isEmpty() ? null : host;
  }
}
