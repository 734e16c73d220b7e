/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.s3.answers;

import java.util.Comparator;
import java.util.List;
import java.util.regex.Pattern;

/** Removes secrets from a text: the credentials in use, signatures and other signing data. */
public final class Redactor {
  private static final String HIDDEN = "(hidden)";

  /** Shorter texts may be ordinary words of a message. */
  private static final int SHORTEST_SECRET = 4;

  private static final Pattern SIGNING =
      Pattern.compile(
          "(?i)((?:x-amz-)?(?:signature|credential|security-token)\\s*[=:]\\s*)[^&,\\s\"'<>]+"
              + "|(AWS4-HMAC-SHA256\\s+)[^\\n]*"
              + "|\\b()(?:AKIA|ASIA)[A-Z0-9]{12,}\\b");

  private final List<String> secrets;

  Redactor(List<String> secrets) {
    // Longest first, in case one contains another.
    this.secrets =
        secrets.stream()
            .filter(secret -> secret.length() >= SHORTEST_SECRET)
            .sorted(Comparator.comparingInt(String::length).reversed())
            .toList();
  }

  String redact(String text) {
    String shown = text;
    for (String secret : secrets) {
      shown = shown.replace(secret, HIDDEN);
    }
    return SIGNING
        .matcher(shown)
        .replaceAll(
            match -> {
              String before = match.group(1) == null ? match.group(2) : match.group(1);
              return (before == null ? "" : java.util.regex.Matcher.quoteReplacement(before))
                  + HIDDEN;
            });
  }

  /** Returns the failure itself, or, if its messages contain a secret, a copy without it. */
  Throwable redact(Throwable failure) {
    for (Throwable t = failure; t != null; t = t.getCause()) {
      String message = String.valueOf(t.getMessage());
      if (!redact(message).equals(message)) {
        return copyOf(failure);
      }
    }
    return failure;
  }

  private Throwable copyOf(Throwable failure) {
    Throwable cause = failure.getCause() == null ? null : copyOf(failure.getCause());
    Throwable copy =
        new RuntimeException(
            failure.getClass().getName() + ": " + redact(String.valueOf(failure.getMessage())),
            cause);
    copy.setStackTrace(failure.getStackTrace());
    return copy;
  }
}
