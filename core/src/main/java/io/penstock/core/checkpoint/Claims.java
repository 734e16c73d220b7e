/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.core.checkpoint;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The runs that have claimed a checkpoint: a small file each in {@link #DIRECTORY}, named after the
 * epoch. A claim is a file made where there is none, so two runs never get one epoch; the highest
 * is the latest run's. One listing and one write at the start of a run.
 */
public final class Claims {
  /** Under the checkpoint's own location. */
  public static final String DIRECTORY = "_penstock_writers";

  private static final Pattern NAME = Pattern.compile("[0-9]{6,18}");

  /** Reads what {@link #json} writes. */
  private static final Pattern JSON =
      Pattern.compile(
          "\\{\"epoch\":[0-9]+,\"application\":\"([^\"]*)\",\"host\":\"([^\"]*)\",\"pid\":([0-9]{1,18}),\"query\":\"([^\"]*)\",\"run\":\"([^\"]*)\"");

  /**
   * Older ones tell nothing any more. It is far more than can be made while one claim is being
   * made: who has listed them long ago must not find an epoch free that was in use.
   */
  private static final int KEPT = 900;

  /** Each failure means that another run has claimed it just now. */
  private static final int TRIES_MAX = 100;

  private final Shelf shelf;

  /** The place of the claims of one checkpoint. */
  public interface Shelf {
    /** The names of all files there; none when there is no directory. */
    List<String> names() throws IOException;

    /** Makes a file, whole and durable; false when one of that name is there. */
    boolean create(String name, byte[] content) throws IOException;

    /** The content of a file, or at least its first 4 KiB; empty when it is not there. */
    Optional<byte[]> read(String name) throws IOException;

    /** Deletes a file; no failure when it is not there. */
    void delete(String name) throws IOException;
  }

  public Claims(Shelf shelf) {
    this.shelf = shelf;
  }

  /**
   * Claims the checkpoint.
   *
   * @param writer who has not claimed it yet
   * @return the same with the epoch that it has now
   */
  public Writer claim(Writer writer, Instant now) throws IOException {
    List<String> names = names();
    long newest = newest(names);
    for (int tries = 1; tries <= TRIES_MAX; tries++) {
      Writer claimed = writer.at(newest + tries);
      if (shelf.create(name(claimed.epoch()), json(claimed, now))) {
        forget(names, claimed.epoch() - KEPT);
        return claimed;
      }
    }
    throw new IOException(
        "%d runs have claimed the checkpoint while this one tried to; is something starting its query again and again?"
            .formatted(TRIES_MAX));
  }

  /**
   * The run that has claimed the checkpoint after this one; empty when none has. One read. A run
   * that slept while {@value #KEPT} others came is not told.
   */
  public Optional<Writer> after(Writer claimed) throws IOException {
    long next = claimed.epoch() + 1;
    Optional<byte[]> content = shelf.read(name(next));
    return content.map(
        bytes ->
            writer(next, bytes).orElseGet(() -> new Writer(next, "unknown", "unknown", 0, "", "")));
  }

  /** The highest epoch that is claimed; 0 when none is. */
  public long newestEpoch() throws IOException {
    return newest(names());
  }

  /**
   * The run that has the highest epoch; empty when none has claimed, or its claim is unreadable.
   */
  public Optional<Writer> newest() throws IOException {
    long epoch = newestEpoch();
    return epoch == 0
        ? Optional.empty()
        : shelf.read(name(epoch)).flatMap(content -> writer(epoch, content));
  }

  private List<String> names() throws IOException {
    return shelf.names().stream().filter(name -> NAME.matcher(name).matches()).toList();
  }

  private static long newest(List<String> names) {
    return names.stream().mapToLong(Long::parseLong).max().orElse(0);
  }

  private void forget(List<String> names, long upTo) throws IOException {
    for (String name : names) {
      if (Long.parseLong(name) <= upTo) {
        shelf.delete(name);
      }
    }
  }

  private static String name(long epoch) {
    return "%06d".formatted(epoch);
  }

  private static Optional<Writer> writer(long epoch, byte[] content) {
    Matcher matcher = JSON.matcher(new String(content, StandardCharsets.UTF_8));
    return matcher.lookingAt()
        ? Optional.of(
            new Writer(
                epoch,
                matcher.group(1),
                matcher.group(2),
                Long.parseLong(matcher.group(3)),
                matcher.group(4),
                matcher.group(5)))
        : Optional.empty();
  }

  /** A writer's texts have nothing in them that JSON would have to escape. */
  private static byte[] json(Writer writer, Instant now) {
    return """
        {"epoch":%d,"application":"%s","host":"%s","pid":%d,"query":"%s","run":"%s","started":"%s"}
        """
        .formatted(
            writer.epoch(),
            writer.application(),
            writer.host(),
            writer.pid(),
            writer.query(),
            writer.run(),
            now)
        .getBytes(StandardCharsets.UTF_8);
  }
}
