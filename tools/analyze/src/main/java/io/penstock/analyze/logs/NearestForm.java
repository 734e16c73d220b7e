/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.analyze.logs;

import io.penstock.analyze.accesslog.AccessLogCsv;
import io.penstock.analyze.input.Head;
import java.util.List;
import java.util.Optional;
import java.util.regex.Pattern;

/** What a file is that is not read, and how to get from it what is. */
final class NearestForm {
  private static final String UNKNOWN = "no log known here";
  private static final int TAR_MAGIC = 257;

  /** A form of text, by what it contains. */
  private record Form(Pattern pattern, String words) {
    static Form of(String pattern, String words) {
      return new Form(Pattern.compile(pattern), words);
    }
  }

  private static final List<Form> FORMS =
      List.of(
          Form.of(
              "\"eventSource\"\\s*:\\s*\"aws:s3\"",
              "S3's event notifications, which list changes, not requests"),
          Form.of(
              "\"QueryResultRows\"",
              "CloudTrail Lake's answer without the events' JSON: ask for the column eventJson"),
          Form.of(
              "^\"?eventversion\"?,\"?useridentity",
              "Athena's answer about CloudTrail, whose columns are no JSON: give the files that the"
                  + " table is of"),
          Form.of(
              "^\"?@?\\w+\"?,.*event(?:Name|Time|Source)",
              "columns of CloudWatch Logs Insights: ask for fields @message, the whole event"),
          Form.of(
              "\"ingestionTime\"",
              "CloudWatch's answer around lines of a log: write the messages alone, by"
                  + " jq -r '.events[].message'"),
          Form.of(
              "\\[\\d{3} [A-Z][^\\]]*\\] s3\\.[A-Z]", "MinIO's trace as text: trace with --json"),
          Form.of(
              " beast: 0x",
              "the log of Ceph's web server: its ops log (rgw_ops_log_file_path) is read"),
          Form.of(
              "(?m)^Containers:$", "a description by kubectl: give the logs of the containers"));

  private NearestForm() {}

  /** Returns what an archive is, which must be unpacked before its content is looked at. */
  static Optional<String> archive(Head head) {
    byte[] bytes = head.bytes();
    if (head.text().startsWith("PK\u0003\u0004")) {
      return Optional.of("a zip archive: unpack it first");
    }
    boolean isTar = bytes.length > TAR_MAGIC + 5 && head.text().startsWith("ustar", TAR_MAGIC);
    return isTar ? Optional.of("a tar archive: unpack it first") : Optional.empty();
  }

  /** Returns the reason why a file is not read. */
  static String of(Head head) {
    String text = head.text();
    if (text.startsWith("\u00ff\u00fe") || text.startsWith("\u00fe\u00ff")) {
      return "text in UTF-16, as PowerShell's > writes it: save it as UTF-8";
    }
    Optional<String> missing = head.lines(1).stream().findFirst().flatMap(AccessLogCsv::missing);
    if (missing.isPresent()) {
      return "Athena's answer about access logs without the column " + missing.get();
    }
    return FORMS.stream()
        .filter(form -> form.pattern.matcher(text).find())
        .map(Form::words)
        .findFirst()
        .orElse(UNKNOWN);
  }
}
