/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.analyze.logs;

import io.penstock.analyze.accesslog.ParquetLog;
import io.penstock.analyze.dns.DnsQueries;
import io.penstock.analyze.input.Head;
import io.penstock.analyze.input.LogFile;
import io.penstock.analyze.input.LogFormat;
import io.penstock.analyze.input.LogSource;
import io.penstock.analyze.input.Packing;
import io.penstock.analyze.input.ReadProgress;
import io.penstock.analyze.input.ReaderThreads;
import io.penstock.analyze.input.RememberedSource;
import io.penstock.analyze.input.Unpacked;
import io.penstock.analyze.sparklog.EventLogParts;
import io.penstock.analyze.sparklog.SparkEventLog;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;

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

  /**
   * Classifies each file by its beginning.
   *
   * @param threads how many files are opened at the same time
   * @param mostRemembered the most bytes of small files that are kept, so that these are opened
   *     only once; 0 if other machines read the files
   */
  static LogSet of(
      List<LogSource> sources,
      KnownFormats formats,
      int threads,
      long mostRemembered,
      ReadProgress progress)
      throws IOException {
    AtomicLong room = new AtomicLong(mostRemembered);
    AtomicInteger next = new AtomicInteger();
    LogSet[] found = new LogSet[sources.size()];
    Callable<Void> opener =
        () -> {
          for (int i = next.getAndIncrement(); i < found.length; i = next.getAndIncrement()) {
            found[i] = of(i, sources.get(i), formats, room);
          }
          return null;
        };
    int openers = Math.max(1, Math.min(threads, sources.size()));
    progress.opening(() -> Math.min(next.get(), found.length), found.length);
    try {
      ReaderThreads.run(Collections.nCopies(openers, opener), () -> next.set(found.length));
    } finally {
      progress.done();
    }
    return together(found);
  }

  private static LogSet together(LogSet[] sets) {
    List<LogFile> requests = new ArrayList<>();
    List<FactFile> facts = new ArrayList<>();
    List<Unknown> unknown = new ArrayList<>();
    for (LogSet set : sets) {
      requests.addAll(set.requests());
      facts.addAll(set.facts());
      unknown.addAll(set.unknown());
    }
    return new LogSet(requests, facts, unknown);
  }

  private static LogSet of(int number, LogSource source, KnownFormats formats, AtomicLong room)
      throws IOException {
    if (source.trouble().isPresent()) {
      return unknown(number, source, UNREADABLE + source.trouble().get());
    }
    if (source.sizeBytes() == 0) {
      return unknown(number, source, "empty");
    }
    LogSource read = source.sizeBytes() <= FIRST_BYTES ? remembered(source, room) : source;
    return ofContent(number, read, formats);
  }

  /**
   * Returns a small file with its bytes, so that it is opened once only; the file itself if there
   * is no room for them, or if it became shorter.
   */
  private static LogSource remembered(LogSource source, AtomicLong room) throws IOException {
    if (room.addAndGet(-source.sizeBytes()) < 0) {
      return source;
    }
    byte[] all = source.read();
    return all.length == source.sizeBytes() ? new RememberedSource(source, all) : source;
  }

  private static LogSet ofContent(int number, LogSource source, KnownFormats formats)
      throws IOException {
    try (Unpacked text = Unpacked.open(source)) {
      List<Packing> packings = text.packings();
      long enough = packings.isEmpty() ? source.sizeBytes() : FIRST_BYTES;
      byte[] first = text.readNBytes((int) Math.min(FIRST_BYTES, enough));
      Optional<LogFormat> accessLog = formats.accessLog(Head.of(first));
      if (accessLog.isPresent()) {
        return request(number, source, accessLog.get(), packings);
      }
      Head head = Head.of(longer(first, text));
      Optional<String> archive = NearestForm.archive(head);
      if (archive.isPresent()) {
        return unknown(number, source, archive.get());
      }
      Optional<FactFile.Sort> fact = fact(source.name(), head);
      Optional<LogFormat> format = formats.of(source.name(), head);
      if (ParquetLog.isOther(head, source)) {
        return unknown(number, source, "Parquet with other columns than an access log");
      } else if (fact.isPresent()) {
        FactFile file = new FactFile(number, source, packings, fact.get());
        return new LogSet(List.of(), List.of(file), List.of());
      } else if (format.isPresent()) {
        return request(number, source, format.get(), packings);
      }
      return unknown(number, source, text.damage().orElseGet(() -> NearestForm.of(head)));
    }
  }

  private static LogSet request(
      int number, LogSource source, LogFormat format, List<Packing> packings) {
    // A line that is being written is read to its end, from the file.
    boolean endsWithin =
        source instanceof RememberedSource small
            && packings.isEmpty()
            && format.lines().isPresent()
            && !small.endsWithLine();
    LogSource read = endsWithin ? ((RememberedSource) source).file() : source;
    return new LogSet(List.of(new LogFile(number, read, format, packings)), List.of(), List.of());
  }

  private static LogSet unknown(int number, LogSource source, String why) {
    return new LogSet(List.of(), List.of(), List.of(new Unknown(number, source, why)));
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
