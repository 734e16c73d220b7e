/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.checkpoints.place;

import java.util.Optional;

/**
 * The result of reading a file. Exactly one of the three values is present.
 *
 * @param value the content, if the file is valid
 * @param problem the problem, if the file is not valid, written as the end of a sentence that
 *     starts with the file
 * @param unknown the reason why the file was not judged, if it was not
 */
public record Read<T>(Optional<T> value, Optional<String> problem, Optional<String> unknown) {
  /** Returns the result for a valid file. */
  public static <T> Read<T> of(T value) {
    return new Read<>(Optional.of(value), Optional.empty(), Optional.empty());
  }

  /** Returns the result for a file that is not valid. */
  public static <T> Read<T> bad(String problem) {
    return new Read<>(Optional.empty(), Optional.of(problem), Optional.empty());
  }

  /** Returns the result for a file that was not judged. */
  public static <T> Read<T> unknown(String why) {
    return new Read<>(Optional.empty(), Optional.empty(), Optional.of(why));
  }

  /** Returns true if the file is not valid. */
  public boolean isBad() {
    return problem.isPresent();
  }
}
