/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.spark;

import java.io.IOException;

/** Throws an IOException although Scala's signature declares none, as Scala code would. */
public final class SneakyThrow {
  private SneakyThrow() {}

  @FunctionalInterface
  public interface Action {
    void run() throws IOException;
  }

  @FunctionalInterface
  public interface Source<T> {
    T get() throws IOException;
  }

  /**
   * Runs the action. Throws its IOException itself, which the compiler does not know of: callers
   * catch {@code Exception} and look at its type.
   */
  public static void run(Action action) {
    try {
      action.run();
    } catch (IOException e) {
      throw SneakyThrow.<RuntimeException>as(e);
    }
  }

  /**
   * Returns what the source returns. Throws its IOException itself, which the compiler does not
   * know of: callers catch {@code Exception} and look at its type.
   */
  public static <T> T get(Source<T> source) {
    try {
      return source.get();
    } catch (IOException e) {
      throw SneakyThrow.<RuntimeException>as(e);
    }
  }

  @SuppressWarnings({"unchecked", "TypeParameterUnusedInFormals"}) // the cast cannot be checked
  private static <E extends Throwable> E as(Throwable failure) throws E {
    throw (E) failure;
  }
}
