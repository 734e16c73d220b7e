/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.core.commit.history;

import io.penstock.core.commit.files.ObjectKey;
import io.penstock.core.store.keys.Places;
import java.util.Collection;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;

/** The reasons against taking back a part of a commit, by directory. */
final class Objections {
  private static final int SHOWN = 3;

  private final Map<String, String> reasons = new TreeMap<>();

  static String directory(ObjectKey key) {
    return "s3://" + key.bucket() + "/" + Places.directory(key.key());
  }

  void add(ObjectKey key, String reason) {
    reasons.putIfAbsent(directory(key), reason);
  }

  void add(Collection<String> directories, String reason) {
    directories.forEach(directory -> reasons.putIfAbsent(directory, reason));
  }

  /** Gives those of the directories another reason against which there is one already. */
  void explain(Collection<String> directories, String reason) {
    directories.forEach(directory -> reasons.computeIfPresent(directory, (same, old) -> reason));
  }

  boolean concern(ObjectKey key) {
    return reasons.containsKey(directory(key));
  }

  boolean isEmpty() {
    return reasons.isEmpty();
  }

  /** Returns the directories, each with a reason. */
  Map<String, String> reasons() {
    return reasons;
  }

  @Override
  public String toString() {
    String some =
        reasons.entrySet().stream()
            .limit(SHOWN)
            .map(one -> "%s (%s)".formatted(one.getKey(), one.getValue()))
            .collect(Collectors.joining(", "));
    return reasons.size() == 1
        ? "one of its directories has changed since: " + some
        : "%,d of its directories have changed since: %s".formatted(reasons.size(), some);
  }
}
