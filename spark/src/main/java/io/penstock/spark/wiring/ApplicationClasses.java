/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.spark.wiring;

import java.util.Optional;

/** The classes that the context loader of the calling thread sees. */
final class ApplicationClasses implements OtherClients.Classes {
  @Override
  public boolean has(String name) {
    return find(name, Thread.currentThread().getContextClassLoader()).isPresent();
  }

  @Override
  public boolean has(String name, String asSeenFrom) {
    return find(asSeenFrom, Thread.currentThread().getContextClassLoader())
        .flatMap(other -> find(name, other.getClassLoader()))
        .isPresent();
  }

  /** A class whose superclass is missing is not there: that it is linked is what loads it. */
  private static Optional<Class<?>> find(String name, ClassLoader loader) {
    try {
      return Optional.of(Class.forName(name, false, loader));
    } catch (ClassNotFoundException | LinkageError e) {
      return Optional.empty();
    }
  }
}
