/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.core.commit.files;

import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The reserved part of a key that means "upload, but do not make visible". A file written to {@code
 * table/__penstock_JOB_ATTEMPT/p=1/file} becomes a pending upload of {@code table/p=1/file}, and
 * the register of jobs holds it under the segment's name. The segment is part of the path, so it
 * survives every writer library. It never becomes part of an object's key.
 *
 * @param jobId letters, digits, dots and dashes; anything else throws an IllegalArgumentException
 * @param attempt likewise; different for each attempt of the job's tasks
 */
public record Segment(String jobId, String attempt) {
  private static final String PREFIX = "__penstock_";
  private static final Pattern PLAIN = Pattern.compile("[A-Za-z0-9.-]+");
  private static final Pattern IN_KEY =
      Pattern.compile("(?:^|/)" + PREFIX + "([A-Za-z0-9.-]+)_([A-Za-z0-9.-]+)(?=/|$)");

  public Segment {
    if (!PLAIN.matcher(jobId).matches() || !PLAIN.matcher(attempt).matches()) {
      throw new IllegalArgumentException(
          "job id and attempt are letters, digits, dots and dashes, got '%s' and '%s'"
              .formatted(jobId, attempt));
    }
  }

  /** Returns a segment for ids with any characters; those that are not allowed become dashes. */
  public static Segment of(String jobId, String attempt) {
    return new Segment(clean(jobId), clean(attempt));
  }

  /** Returns the segment as a path component. */
  public String name() {
    return PREFIX + jobId + "_" + attempt;
  }

  /**
   * A key taken apart.
   *
   * @param base what stands before the segment, empty or ending with a slash
   * @param finalKey the key without the segment
   */
  public record Split(Segment segment, String base, String finalKey) {}

  /** Finds the first segment in a key; empty if there is none. */
  public static Optional<Split> in(String key) {
    if (!key.contains(PREFIX)) {
      return Optional.empty();
    }
    Matcher matcher = IN_KEY.matcher(key);
    if (!matcher.find()) {
      return Optional.empty();
    }
    int start = matcher.start() + (key.charAt(matcher.start()) == '/' ? 1 : 0);
    String base = key.substring(0, start);
    String rest = matcher.end() < key.length() ? key.substring(matcher.end() + 1) : "";
    Segment segment = new Segment(matcher.group(1), matcher.group(2));
    return Optional.of(new Split(segment, base, base + rest));
  }

  private static String clean(String id) {
    return id.replaceAll("[^A-Za-z0-9.-]", "-");
  }
}
