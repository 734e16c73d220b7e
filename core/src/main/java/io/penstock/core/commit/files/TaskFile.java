/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.core.commit.files;

/**
 * One file of a task, which the job's commit makes visible. A large file is a pending upload; the
 * content of a small one travels to the driver in the task's message. A commit that takes another
 * one back restores files.
 */
public sealed interface TaskFile permits TaskUpload, InlineFile, RestoredFile {
  String bucket();

  String key();

  long sizeBytes();
}
