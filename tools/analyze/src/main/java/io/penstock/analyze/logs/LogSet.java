/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.analyze.logs;

import io.penstock.analyze.accesslog.ParquetLog;
import io.penstock.analyze.dns.DnsQueries;
import io.penstock.analyze.input.Head;
import io.penstock.analyze.input.LogFile;
import io.penstock.analyze.input.LogFormat;
import io.penstock.analyze.input.LogSource;
import io.penstock.analyze.input.Unpacked;
import io.penstock.analyze.sparklog.EventLogParts;
import io.penstock.analyze.sparklog.SparkEventLog;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;

/**
 * The given files, classified by their content.
 *
 * @param requests the logs that contain requests
 * @param facts the logs that contain other facts
 * @param unknown the files that are no known log
 */
record LogSet(List<LogFile> requests, List<FactFile> facts, List<Unknown> unknown) {
  /** The prefix of the reason for a file that could not even be opened. */
  static final String UNREADABLE = "cannot be read: ";

  private static final int FIRST_BYTES = 16 << 10;
  private static final int HEAD_BYTES = 256 << 10;

  /** A file that is not read, with the reason. */
  record Unknown(int number, LogSource source, String why) {}

  LogSet {
    requests = List.copyOf(requests);
    facts = List.copyOf(facts);
    unknown = List.copyOf(unknown);
  }

  /** Classifies each file by its beginning. */
  static LogSet of(List<LogSource> sources, KnownFormats formats) throws IOException {
    List<LogFile> requests = new ArrayList<>();
    List<FactFile> facts = new ArrayList<>();
    List<Unknown> unknown = new ArrayList<>();
    for (int number = 0; number < sources.size(); number++) {
      LogSource source = sources.get(number);
      if (source.trouble().isPresent()) {
        unknown.add(new Unknown(number, source, UNREADABLE + source.trouble().get()));
        continue;
      }
      if (source.sizeBytes() == 0) {
        unknown.add(new Unknown(number, source, "empty"));
        continue;
      }
      try (Unpacked text = Unpacked.open(source.open(0))) {
        byte[] first = text.readNBytes(FIRST_BYTES);
        Optional<LogFormat> accessLog = formats.accessLog(Head.of(first));
        if (accessLog.isPresent()) {
          requests.add(new LogFile(number, source, accessLog.get(), text.packings()));
          continue;
        }
        Head head = Head.of(longer(first, text));
        Optional<FactFile.Sort> fact = fact(source.name(), head);
        Optional<LogFormat> format = formats.of(source.name(), head);
        if (ParquetLog.isOther(head, source)) {
          unknown.add(new Unknown(number, source, "Parquet with other columns than an access log"));
        } else if (fact.isPresent()) {
          facts.add(new FactFile(number, source, text.packings(), fact.get()));
        } else if (format.isPresent()) {
          requests.add(new LogFile(number, source, format.get(), text.packings()));
        } else {
          unknown.add(new Unknown(number, source, text.damage().orElse("no log known here")));
        }
      }
    }
    return new LogSet(requests, facts, unknown);
  }

  private static byte[] longer(byte[] first, Unpacked text) throws IOException {
    if (first.length < FIRST_BYTES) {
      return first;
    }
    byte[] more = text.readNBytes(HEAD_BYTES - first.length);
    byte[] all = Arrays.copyOf(first, first.length + more.length);
    System.arraycopy(more, 0, all, first.length, more.length);
    return all;
  }

  private static Optional<FactFile.Sort> fact(String path, Head head) {
    boolean isJson = head.text().startsWith("{");
    if (SparkEventLog.matches(head) || (EventLogParts.isPart(path) && isJson)) {
      return Optional.of(FactFile.Sort.SPARK);
    }
    return DnsQueries.matches(head) ? Optional.of(FactFile.Sort.DNS) : Optional.empty();
  }
}
