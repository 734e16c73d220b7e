/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.analyze.advice;

import java.util.Objects;

/**
 * One setting with its current and its recommended value.
 *
 * @param name the name of the setting, such as {@code fs.s3a.retry.limit}; for changes of code or
 *     outside of the job, a description of what to change
 * @param now the current value, or the default value followed by the word default; empty if it is
 *     not known
 * @param next the value to set; empty if the setting is to be removed
 */
public record Change(Target target, String name, String now, String next) {
  public Change {
    Objects.requireNonNull(target, "target");
    Objects.requireNonNull(name, "name");
    Objects.requireNonNull(now, "now");
    Objects.requireNonNull(next, "next");
  }

  public boolean isRemoval() {
    return next.isEmpty();
  }
}
