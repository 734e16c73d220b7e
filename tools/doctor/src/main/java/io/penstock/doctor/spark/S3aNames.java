/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.doctor.spark;

import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** The names of S3A's settings, and the releases of Hadoop that know them. */
final class S3aNames {
  static final String PREFIX = "fs.s3a.";
  private static final String BUCKET = PREFIX + "bucket.";

  /** The names under S3A's prefix that other classes may define. */
  private static final List<String> FREE = List.of("ext.", "delegation.", "audit.");

  /**
   * The known names without the prefix. The value has one character for each column of {@link
   * #column}; {@code y} means that these releases know the name.
   */
  private static final Map<String, String> KNOWN = new LinkedHashMap<>();

  static {
    for (String line : Lines.of("s3a-names.txt")) {
      int space = line.indexOf(' ');
      KNOWN.put(line.substring(0, space), line.substring(space + 1));
    }
  }

  private S3aNames() {}

  /** The states of a name in a release of Hadoop. */
  enum State {
    KNOWN,
    /** The name is known only in other releases of Hadoop. */
    OTHER_RELEASE,
    UNKNOWN
  }

  /** Returns the column of the tables for a release of Hadoop. */
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

  /** Returns all names that any release knows. */
  static List<String> all() {
    return KNOWN.keySet().stream().map(name -> PREFIX + name).toList();
  }

  /** Returns the name without the prefix and without a bucket. A bucket's name may contain dots. */
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
