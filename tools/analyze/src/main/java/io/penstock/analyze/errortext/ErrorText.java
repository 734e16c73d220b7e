/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.analyze.errortext;

import io.penstock.analyze.request.ErrorStatus;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * An answer of S3 that the message of an exception names, as both SDKs for Java write it:
 *
 * <pre>
 * Please reduce your request rate. (Service: S3, Status Code: 503, Request ID: 4S…, Extended …)
 * … (Service: Amazon S3; Status Code: 503; Error Code: SlowDown; Request ID: 4S…; S3 Extended …)
 * </pre>
 *
 * @param status the HTTP status, from 300 to 599
 * @param code the code of the error, such as SlowDown; empty when the message has none
 * @param requestId the id that S3 gave the attempt; empty when the message has none
 */
record ErrorText(int status, String code, String requestId) {
  /** The words that every such message of an SDK for Java contains, for a quick look. */
  static final String MARK = "Status Code: ";

  private static final String MARK_OF_PYTHON = "An error occurred (";

  // Java's regular expressions need time in proportion to the text here: no part can match what
  // the part after it matches.
  private static final Pattern ANSWER =
      Pattern.compile(
          "\\(Service: (?:Amazon )?S3[,;] Status Code: ([345]\\d\\d)"
              + "(?:[,;] Error Code: ([\\w. ]{1,80}))?"
              + "(?:[,;] Request ID: ([\\w+/=-]{1,100}))?"
              + "[^()\\n]{0,300}\\)(?: ?\\(SDK Attempt Count: \\d{1,4}\\))?"
              + "(?::([A-Za-z][\\w.]{1,80}))?");
  // botocore: An error occurred (SlowDown) when calling the PutObject operation (reached max …
  private static final Pattern OF_PYTHON =
      Pattern.compile(
          "An error occurred \\(([\\w.]{1,80})\\) when calling the \\w{1,80} operation");
  private static final Pattern STATUS_FIRST = Pattern.compile("^[345]\\d\\d(?: |$)");

  private static final String SLOW_DOWN = "SlowDown";
  private static final String ITS_WORDS = "reduce your request rate";

  /**
   * Returns the answers that a text names, in its order; an id may stand there several times. An
   * answer that the end of the text cuts is left out, since its id may be cut too.
   */
  static List<ErrorText> in(String text) {
    List<ErrorText> found = new ArrayList<>();
    if (text.contains(MARK_OF_PYTHON)) {
      addOfPython(text, found);
    }
    if (!text.contains(MARK)) {
      return found;
    }
    Matcher answer = ANSWER.matcher(text);
    int from = 0;
    while (answer.find()) {
      // The message of the exception stands before its answer.
      boolean isSlowDown = text.substring(from, answer.start()).contains(ITS_WORDS);
      from = answer.end();
      found.add(
          new ErrorText(
              Integer.parseInt(answer.group(1)),
              known(answer.group(2))
                  .or(() -> known(answer.group(4)))
                  .orElse(isSlowDown ? SLOW_DOWN : ""),
              known(answer.group(3)).orElse("")));
    }
    return found;
  }

  private static void addOfPython(String text, List<ErrorText> found) {
    Matcher answer = OF_PYTHON.matcher(text);
    while (answer.find()) {
      String code = answer.group(1);
      boolean isStatus = STATUS_FIRST.matcher(code).find();
      int status =
          isStatus
              ? Integer.parseInt(code)
              : ErrorStatus.of(code.getBytes(StandardCharsets.US_ASCII));
      if (status != 0) {
        found.add(new ErrorText(status, isStatus ? "" : code, ""));
      }
    }
  }

  /**
   * Returns a code; Java's SDK and S3A write null where they know nothing, and for an answer
   * without a body the status and its words, such as 503 Slow Down.
   */
  private static Optional<String> known(String text) {
    return Optional.ofNullable(text)
        .map(some -> STATUS_FIRST.matcher(some).replaceFirst("").replace(" ", ""))
        .filter(some -> !some.isEmpty() && !some.equals("null"));
  }
}
