/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.core.checkpoint;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The runs that have claimed a checkpoint. Each has a small file in {@link #DIRECTORY}, named after
 * its epoch. A claim is made by creating a file that does not exist yet, so two runs never get the
 * same epoch. The highest epoch belongs to the latest run. A run makes one listing and one write
 * when it starts.
 */
public final class Claims {
  /** The directory of the claims, under the checkpoint's own location. */
  public static final String DIRECTORY = "_penstock_writers";

  private static final Pattern NAME = Pattern.compile("[0-9]{6,18}");

  /** Reads what {@link #json} writes. */
  private static final Pattern JSON =
      Pattern.compile(
          "\\{\"epoch\":[0-9]+,\"application\":\"([^\"]*)\",\"host\":\"([^\"]*)\",\"pid\":([0-9]{1,18}),\"query\":\"([^\"]*)\",\"run\":\"([^\"]*)\"");

  /**
   * The number of claims that are kept; older ones are no longer useful. This is far more than can
   * be made while one run makes its claim. So a run with an old listing cannot find an epoch free
   * that was in use.
   */
  private static final int KEPT = 900;

  /** Each failure means that another run has just claimed the epoch. */
  private static final int TRIES_MAX = 100;

  private final Shelf shelf;

  /** The storage of one checkpoint's claims. */
  public interface Shelf {
    /** Returns the names of all files; none if the directory does not exist. */
    List<String> names() throws IOException;

    /** Creates a file, complete and durable. Returns false if a file of that name exists. */
    boolean create(String name, byte[] content) throws IOException;

    /** Returns the content of a file, or at least its first 4 KiB; empty if it does not exist. */
    Optional<byte[]> read(String name) throws IOException;

    /** Deletes a file. It is no failure if the file does not exist. */
    void delete(String name) throws IOException;
  }

  public Claims(Shelf shelf) {
    this.shelf = shelf;
  }

  /**
   * Claims the checkpoint.
   *
   * @param writer writer that has not claimed the checkpoint yet
   * @param now written into the claim for people
   * @return the same writer with its new epoch
   * @throws IOException when 100 other runs were faster, or a request fails; the claim may have
   *     been made all the same, and the next one then gets a higher epoch
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
        "%d other runs claimed the checkpoint while this run tried to claim it. Check whether something keeps restarting the query."
            .formatted(TRIES_MAX));
  }

  /**
   * Returns the run that claimed the checkpoint next after this one; empty if there is none. Takes
   * one read. A run that was paused while {@value #KEPT} others made claims does not find the next
   * one, but its own claim is gone then. If the next claim cannot be read, the result has the
   * application {@code unknown}.
   */
  public Optional<Writer> after(Writer claimed) throws IOException {
    long next = claimed.epoch() + 1;
    Optional<byte[]> content = shelf.read(name(next));
    return content.map(
        bytes ->
            writer(next, bytes).orElseGet(() -> new Writer(next, "unknown", "unknown", 0, "", "")));
  }

  /**
   * Returns the run that has taken the place of this one: the newest, where this run's own claim is
   * gone, or the one that has this run's epoch. That is so after the checkpoint was deleted and
   * begun anew. Empty if the claim is in place, or if there is no other. Takes one read, and two
   * requests more if the claim is gone.
   */
  public Optional<Writer> inPlaceOf(Writer claimed) throws IOException {
    Optional<byte[]> content = shelf.read(name(claimed.epoch()));
    Optional<Writer> there =
        content.isPresent() ? writer(claimed.epoch(), content.get()) : newest();
    return there.filter(other -> !other.equals(claimed));
  }

  /** Returns the highest claimed epoch; 0 if there is none. */
  public long newestEpoch() throws IOException {
    return newest(names());
  }

  /**
   * Returns the run that has the highest epoch; empty if there is no claim, or if the claim is
   * unreadable.
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
    return String.format(Locale.ROOT, "%06d", epoch);
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

  /**
   * Returns the text of a claim. A writer's texts contain no characters that JSON has to escape.
   */
  private static byte[] json(Writer writer, Instant now) {
    return String.format(
            Locale.ROOT,
            """
            {"epoch":%d,"application":"%s","host":"%s","pid":%d,"query":"%s","run":"%s","started":"%s"}
            """,
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
