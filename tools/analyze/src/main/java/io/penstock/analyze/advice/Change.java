/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.analyze.advice;

import java.util.Objects;

/**
 * One setting, now and recommended.
 *
 * @param name as its place calls it, such as {@code fs.s3a.retry.limit}; for changes of code and
 *     outside of the job what is to be changed
 * @param now the value seen, or the default and the word default; empty when it is not known
 * @param next the value to set; empty when the setting is to be removed
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
