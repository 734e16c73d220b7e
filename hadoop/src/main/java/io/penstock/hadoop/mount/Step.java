/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.hadoop.mount;

/** The operations that a checkpoint needs in a directory, in the order of the test. */
enum Step {
  LOOK("looking at it"),
  MAKE("making it"),
  CREATE("creating a file in it"),
  WRITE("writing to a file in it"),
  LINK("creating a hard link to a file in it"),
  RENAME("renaming a file in it"),
  SYNC("syncing the directory (fsync)"),
  DELETE("deleting a file in it");

  private final String words;

  Step(String words) {
    this.words = words;
  }

  @Override
  public String toString() {
    return words;
  }
}
