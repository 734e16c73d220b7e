/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.doctor.machine;

import java.util.List;
import java.util.Optional;

/** The facts that the checks read of the machine and the process, so that tests can script them. */
public interface Machine {
  /** The text of a small file; empty when it is not there or cannot be read. */
  Optional<String> read(String path);

  /** The names in a directory; none when it is not there or cannot be read. */
  List<String> list(String directory);

  /** The path with its links resolved; empty when nothing is there. */
  Optional<String> real(String path);

  /** Returns true if a file can be made in the directory, as far as permissions tell. */
  boolean isWritable(String directory);

  Optional<String> environment(String name);

  Optional<String> property(String name);

  int processors();

  long maxHeapBytes();
}
