/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.doctor.machine;

import java.util.List;
import java.util.Optional;

/**
 * The facts about the machine and the process that the checks read. Tests replace it with a fake.
 */
public interface Machine {
  /** Returns the text of a small file; empty when it does not exist or cannot be read. */
  Optional<String> read(String path);

  /** Returns the names in a directory; none when it does not exist or cannot be read. */
  List<String> list(String directory);

  /** Returns the path with its links resolved; empty when the path does not exist. */
  Optional<String> real(String path);

  /** Returns true if the permissions allow creating a file in the directory. */
  boolean isWritable(String directory);

  Optional<String> environment(String name);

  Optional<String> property(String name);

  int processors();

  long maxHeapBytes();
}
