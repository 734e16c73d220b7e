/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.doctor.spark;

import io.penstock.core.config.Nearest;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** The names of S3A's settings, and which releases of Hadoop know them. */
final class S3aNames {
  static final String PREFIX = "fs.s3a.";
  private static final String BUCKET = PREFIX + "bucket.";

  /** Names that other people's classes may have under S3A's prefix. */
  private static final List<String> FREE = List.of("ext.", "delegation.", "audit.");

  /** Without the prefix; a {@code y} for each column of {@link #column}. */
  private static final Map<String, String> KNOWN = new LinkedHashMap<>();

  static {
    for (String line : Lines.of("s3a-names.txt")) {
      int space = line.indexOf(' ');
      KNOWN.put(line.substring(0, space), line.substring(space + 1));
    }
  }

  private S3aNames() {}

  /** The facts about a name. */
  enum State {
    KNOWN,
    /** Known to other releases of Hadoop. */
    OTHER_RELEASE,
    UNKNOWN
  }

  /** Returns which column of the tables is about a release of Hadoop. */
  static int column(Release hadoop) {
    if (hadoop.isBefore(3, 4, 0)) {
      return 0;
    }
    return hadoop.isBefore(3, 4, 2) ? 1 : hadoop.isBefore(3, 5, 0) ? 2 : 3;
  }

  static State stateOf(String name, Release hadoop) {
    String local = local(name);
    if (FREE.stream().anyMatch(local::startsWith)) {
      return State.KNOWN;
    }
    String releases = KNOWN.get(local);
    if (releases == null) {
      return State.UNKNOWN;
    }
    return releases.charAt(column(hadoop)) == 'y' ? State.KNOWN : State.OTHER_RELEASE;
  }

  static String nearest(String name) {
    return PREFIX + Nearest.of(local(name), List.copyOf(KNOWN.keySet()));
  }

  /** The name without prefix and bucket, whose name may have dots. */
  private static String local(String name) {
    if (!name.startsWith(BUCKET)) {
      return name.substring(PREFIX.length());
    }
    String inBucket = name.substring(BUCKET.length());
    Optional<String> known =
        KNOWN.keySet().stream()
            .filter(key -> inBucket.endsWith("." + key))
            .max(Comparator.comparingInt(String::length));
    return known.orElseGet(() -> inBucket.replaceFirst("^[^.]*\\.", ""));
  }
}
