/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.hadoop.mount;

/** The operations that a checkpoint needs in a directory, in the order of the test. */
enum Step {
  LOOK("looking at it"),
  MAKE("making it"),
  CREATE("creating a file in it"),
  WRITE("writing to a file in it"),
  LINK("linking a file in it to a second name"),
  RENAME("renaming a file in it"),
  SYNC("syncing its names to the disk"),
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
