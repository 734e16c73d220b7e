/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.core.config;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;

/** Finds the setting that a mistyped name is most likely meant to be, also one for a bucket. */
public final class MeantName {
  private static final String BUCKET = "bucket.";

  private record Candidate(String name, int distance) {}

  private MeantName() {}

  /**
   * Returns the setting that differs from the name by a slip of the pen: by one or two edits in
   * what is not the bucket's name. Returns empty if the name itself is known.
   *
   * @param known full names, such as {@code fs.s3a.endpoint}
   */
  public static Optional<String> of(String name, List<String> known) {
    for (String family : List.of(ConfigKey.PREFIX, "fs.s3a.", "fs.s3.")) {
      if (name.startsWith(family)) {
        // The same key of another system is no slip: fs.s3.impl beside fs.s3a.impl.
        List<String> same = known.stream().filter(one -> one.startsWith(family)).toList();
        return name.startsWith(family + BUCKET) ? ofBucket(family, name, same) : slip(name, same);
      }
    }
    // A file system of another store has settings of its own: fs.gs.block.size, fs.oss.endpoint.
    return name.startsWith("fs.")
        ? Optional.empty()
        : slip(name, known.stream().filter(one -> one.startsWith(ConfigKey.PREFIX)).toList());
  }

  private static Optional<String> slip(String name, List<String> known) {
    return known.isEmpty() ? Optional.empty() : NearestName.slip(name, known);
  }

  /** Tries each dot as the end of the bucket's name, which may have dots, as keys have. */
  private static Optional<String> ofBucket(String family, String name, List<String> known) {
    int start = family.length() + BUCKET.length();
    List<Candidate> candidates = new ArrayList<>();
    for (int dot = name.indexOf('.', start); dot >= 0; dot = name.indexOf('.', dot + 1)) {
      String plain = family + name.substring(dot + 1);
      if (known.contains(plain)) {
        return Optional.empty();
      }
      String bucket = name.substring(family.length(), dot + 1);
      slip(plain, known)
          .ifPresent(
              meant ->
                  candidates.add(
                      new Candidate(
                          family + bucket + meant.substring(family.length()),
                          NearestName.distance(plain, meant))));
    }
    return candidates.stream()
        .min(Comparator.comparingInt(Candidate::distance))
        .map(Candidate::name);
  }
}
