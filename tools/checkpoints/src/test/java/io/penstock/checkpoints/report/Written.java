/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.checkpoints.report;

import io.penstock.checkpoints.facts.CheckOptions;
import io.penstock.checkpoints.facts.CheckpointFacts;
import io.penstock.checkpoints.facts.CheckpointReader;
import io.penstock.checkpoints.place.CheckpointPlace;
import io.penstock.checkpoints.place.FileChangedException;
import io.penstock.checkpoints.place.StoredFile;
import io.penstock.checkpoints.repair.RepairPlan;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.LongConsumer;
import java.util.zip.CRC32C;
import java.util.zip.ZipEntry;
import java.util.zip.ZipOutputStream;

/** A checkpoint as Spark would have written it, in memory, for tests to break. */
public final class Written implements CheckpointPlace {
  public static final Instant THEN = Instant.parse("2026-03-01T10:00:00Z");
  public static final Instant NOW = Instant.parse("2026-03-01T12:00:00Z");

  public final Map<String, byte[]> files = new TreeMap<>();
  public final Map<String, Instant> times = new TreeMap<>();
  public final Map<String, Long> reads = new TreeMap<>();

  /** Planned up to one batch and committed up to another. */
  public static Written batches(int planned, int committed) {
    Written written = new Written().text("metadata", "{\"id\":\"4fc0c123\"}");
    for (int batch = 0; batch <= planned; batch++) {
      written.text("offsets/" + batch, offsets(batch));
    }
    for (int batch = 0; batch <= committed; batch++) {
      written.text("commits/" + batch, "v1\n{\"nextBatchWatermarkMs\":0}");
    }
    return written;
  }

  public static String offsets(int batch) {
    return "v1\n{\"batchWatermarkMs\":0,\"batchTimestampMs\":1,\"conf\":{}}\n{\"offset\":"
        + batch * 50
        + "}";
  }

  /** Two partitions of HDFS state, with a delta a version. */
  public Written withDeltas(int newest) {
    for (int partition = 0; partition < 2; partition++) {
      for (int version = 1; version <= newest; version++) {
        text("state/0/" + partition + "/" + version + ".delta", "delta " + version);
      }
    }
    return text(
        "state/0/_metadata/metadata",
        "v1\n{\"operatorInfo\":{\"operatorId\":0,\"operatorName\":\"stateStoreSave\"},"
            + "\"stateStoreInfo\":[{\"storeName\":\"default\",\"numColsPrefixKey\":0,"
            + "\"numPartitions\":2}]}");
  }

  /** A snapshot of RocksDB that needs one SST file of 4 bytes. */
  public Written withZip(String store, String name, String sst) {
    text(store + "SSTs/" + sst, "data");
    return bytes(
        store + name,
        zip(
            Map.of(
                "CURRENT",
                "MANIFEST-1",
                "metadata",
                "v1\n{\"sstFiles\":[{\"localFileName\":\"1.sst\",\"dfsSstFileName\":\""
                    + sst
                    + "\",\"sizeBytes\":4}],\"numKeys\":1}")));
  }

  /** Spark's checksum beside a file. */
  public Written withSide(String path) {
    CRC32C sum = new CRC32C();
    sum.update(files.get(path));
    return text(
        path + ".crc",
        "{\"algorithm\":\"CRC32C\",\"value\":%d,\"mainFileSize\":%d,\"timestampMs\":1}"
            .formatted((int) sum.getValue(), files.get(path).length));
  }

  public static byte[] zip(Map<String, String> entries) {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    try (ZipOutputStream zip = new ZipOutputStream(bytes)) {
      for (Map.Entry<String, String> entry : new TreeMap<>(entries).entrySet()) {
        zip.putNextEntry(new ZipEntry(entry.getKey()));
        zip.write(entry.getValue().getBytes(StandardCharsets.UTF_8));
        zip.closeEntry();
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return bytes.toByteArray();
  }

  public Written text(String path, String text) {
    return bytes(path, text.getBytes(StandardCharsets.UTF_8));
  }

  public Written bytes(String path, byte[] bytes) {
    files.put(path, bytes);
    times.put(path, THEN);
    return this;
  }

  public Written without(String path) {
    if (files.remove(path) == null) {
      throw new IllegalArgumentException("no " + path + " among " + files.keySet());
    }
    return this;
  }

  public CheckpointReport check() {
    return check(new CheckOptions(20, false, java.util.Optional.empty()));
  }

  public CheckpointReport check(CheckOptions options) {
    try {
      return CheckpointReport.of(
          where(), new CheckpointReader(this, Runnable::run, options, (w, d, o) -> {}).read(NOW));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Makes a plan of the given facts about this checkpoint. */
  public RepairPlan plan(CheckpointFacts facts, RepairPlan.Consent consent) {
    CheckOptions options = new CheckOptions(20, false, java.util.Optional.empty());
    CheckpointReader reader = new CheckpointReader(this, Runnable::run, options, (w, d, o) -> {});
    try {
      return RepairPlan.of(facts, consent, moved -> reader.readWithout(moved, NOW));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Severity, sentence and place of each finding. */
  public List<String> findings() {
    return lines(check());
  }

  public static List<String> lines(CheckpointReport report) {
    return report.findings().stream()
        .map(f -> f.severity().word() + ": " + f.what() + " " + f.where())
        .toList();
  }

  @Override
  public String where() {
    return "memory:/cp";
  }

  @Override
  public List<StoredFile> list(String below, LongConsumer progress) {
    Map<String, StoredFile> listed = new LinkedHashMap<>();
    files.forEach(
        (path, bytes) -> {
          if (path.startsWith(below)) {
            listed.put(path, new StoredFile(path, bytes.length, times.get(path), version(path)));
          }
        });
    return List.copyOf(listed.values());
  }

  private String version(String path) {
    return java.util.Arrays.hashCode(files.get(path)) + "";
  }

  @Override
  public byte[] read(StoredFile file, long start, int maxBytes) throws IOException {
    check(file);
    reads.merge(file.path(), 1L, Long::sum);
    byte[] bytes = files.get(file.path());
    int from = (int) Math.min(start, bytes.length);
    return java.util.Arrays.copyOfRange(bytes, from, Math.min(bytes.length, from + maxBytes));
  }

  @Override
  public void copy(StoredFile file, String to) throws IOException {
    check(file);
    bytes(to, files.get(file.path()));
  }

  @Override
  public void delete(StoredFile file) throws IOException {
    check(file);
    without(file.path());
  }

  private void check(StoredFile file) throws IOException {
    if (!files.containsKey(file.path()) || !version(file.path()).equals(file.version())) {
      throw new FileChangedException(file.path());
    }
  }

  @Override
  public void close() {}
}
