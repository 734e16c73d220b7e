/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.hadoop.tree;

import io.penstock.core.read.ObjectReader;
import io.penstock.core.read.ReadConfig;
import io.penstock.core.read.ReadPolicy;
import io.penstock.core.read.Reads;
import io.penstock.core.read.footer.FooterStore;
import io.penstock.core.stack.StoreStack;
import io.penstock.core.store.ByteRange;
import io.penstock.core.store.Range;
import io.penstock.core.store.SuffixRange;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.EtagSource;
import org.apache.hadoop.fs.FileStatus;
import org.apache.hadoop.fs.Path;

/**
 * The way a file is opened: the facts that the caller knows about the file, and where the reads
 * start. If nothing is known, the first request returns the status and the bytes that the format
 * reads first. If the size is known, no request is sent before the first read.
 */
public record Opening(
    Optional<Long> sizeBytes,
    Optional<String> etag,
    ReadPolicy policy,
    boolean isWhole,
    long start,
    long end) {
  private static final String PREFIX = "fs.option.openfile.";
  static final String LENGTH = PREFIX + "length";
  static final String POLICY = PREFIX + "read.policy";
  static final String SPLIT_START = PREFIX + "split.start";
  static final String SPLIT_END = PREFIX + "split.end";

  public static Opening unknown(String key) {
    ReadPolicy policy = KeyName.isColumnar(key) ? ReadPolicy.RANDOM : ReadPolicy.ADAPTIVE;
    return new Opening(Optional.empty(), Optional.empty(), policy, false, 0, Long.MAX_VALUE);
  }

  /**
   * The options of {@code openFile()} that this class supports. A caller may make them mandatory.
   */
  public static final Set<String> OPTIONS =
      Set.of(
          LENGTH, POLICY, SPLIT_START, SPLIT_END, PREFIX + "buffer.size", PREFIX + "footer.cache");

  /**
   * Reads the options of {@code openFile()}, and the status that the caller passes. The status must
   * be one of a file with the same name, with or without an ETag.
   *
   * @param given the status; null when there is none
   * @throws IllegalArgumentException when the status is another file's
   * @throws FileNotFoundException when the status is a directory's
   */
  public static Opening of(Path path, String key, FileStatus given, Configuration options)
      throws FileNotFoundException {
    if (given == null) {
      return of(key, options, Optional.empty(), Optional.empty());
    }
    if (!given.getPath().getName().equals(path.getName())) {
      throw new IllegalArgumentException(
          "the FileStatus given to open %s belongs to %s".formatted(path, given.getPath()));
    }
    if (given.isDirectory()) {
      throw new FileNotFoundException(path + " is a directory");
    }
    Optional<String> etag =
        given instanceof EtagSource source
            ? Optional.ofNullable(source.getEtag()).filter(tag -> !tag.isEmpty())
            : Optional.empty();
    return of(key, options, Optional.of(given.getLen()), etag);
  }

  /**
   * Reads the options of {@code openFile()}.
   *
   * @param size the size in the caller's status; empty without a status
   */
  public static Opening of(
      String key, Configuration options, Optional<Long> size, Optional<String> etag) {
    Optional<Long> length = size.or(() -> number(options, LENGTH));
    return new Opening(
        length,
        etag,
        policy(options.get(POLICY, ""), unknown(key).policy()),
        options.get(POLICY, "").toLowerCase(Locale.ROOT).strip().startsWith("whole-file"),
        number(options, SPLIT_START).orElse(0L),
        number(options, SPLIT_END).orElse(Long.MAX_VALUE));
  }

  /**
   * Returns the number in an option. Options are text, and some callers write floating point. Text
   * that is not a valid size is ignored.
   */
  private static Optional<Long> number(Configuration options, String name) {
    try {
      double value = Double.parseDouble(options.get(name, "-1"));
      return value >= 0 && value < Long.MAX_VALUE ? Optional.of((long) value) : Optional.empty();
    } catch (NumberFormatException e) {
      return Optional.empty();
    }
  }

  /** Returns the policy of the first known name in the list. */
  private static ReadPolicy policy(String names, ReadPolicy otherwise) {
    for (String name : names.toLowerCase(Locale.ROOT).split(",", -1)) {
      switch (name.trim()) {
        case "parquet", "orc", "columnar", "vector", "random", "hbase" -> {
          return ReadPolicy.RANDOM;
        }
        case "sequential", "whole-file", "csv", "json", "avro" -> {
          return ReadPolicy.SEQUENTIAL;
        }
        case "adaptive" -> {
          return ReadPolicy.ADAPTIVE;
        }
        default -> {
          // Ignores an unknown name; the next name may be known.
        }
      }
    }
    return otherwise;
  }

  /** Returns the part of the file that the caller will read; empty if it did not say so. */
  public Optional<ByteRange> split() {
    return end == Long.MAX_VALUE || end <= start
        ? Optional.empty()
        : Optional.of(new ByteRange(start, end));
  }

  /**
   * Opens the file.
   *
   * @param view of the stack's store, for readers
   */
  public ObjectReader reader(StoreStack stack, FooterStore view, String key) throws IOException {
    ObjectReader reader = opened(stack, view, key);
    reader.expectEnd(end);
    // Other sequential readers begin with a header, and may go on elsewhere.
    if (policy != ReadPolicy.RANDOM && (isWhole || split().isPresent())) {
      reader.expectSequence(start);
    }
    return reader;
  }

  private ObjectReader opened(StoreStack stack, FooterStore view, String key) throws IOException {
    Reads reads = stack.reads();
    ReadConfig config = reads.config();
    if (sizeBytes.isPresent()) {
      ObjectReader reader =
          ObjectReader.ofKnown(view, key, sizeBytes.get(), etag, reads, policy, stack.readsOf(key));
      if (policy == ReadPolicy.RANDOM) {
        reader.expectTail(view.tailBytes(key, sizeBytes.get()));
      }
      return reader;
    }
    Range first =
        policy == ReadPolicy.RANDOM && start == 0
            ? new SuffixRange(Math.max(config.rangeMinBytes(), view.tailBytes(key)))
            : new ByteRange(start, start + config.rangeFirstBytes());
    return ObjectReader.open(view, key, first, reads, policy, stack.readsOf(key));
  }
}
