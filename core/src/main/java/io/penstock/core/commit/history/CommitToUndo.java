/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.core.commit.history;

import io.penstock.core.commit.files.ObjectKey;
import io.penstock.core.commit.files.RestoredFile;
import io.penstock.core.commit.intent.Intent;
import io.penstock.core.store.Condition;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * The plan to take a commit back.
 *
 * @param commit to take back
 * @param intent of it
 * @param removed objects that it made visible, each with the condition under which it is deleted
 * @param removedBytes size of these in all
 * @param restored objects that it replaced
 * @param spared directories that stay as they are, each with the reason
 * @param known ids of the commits from which all this follows
 */
public record CommitToUndo(
    PastCommit commit,
    Intent intent,
    Map<ObjectKey, Condition> removed,
    long removedBytes,
    List<RestoredFile> restored,
    Map<String, String> spared,
    Set<String> known) {
  /** Returns the number of files to remove; the record of a commit with a name is none. */
  public long removedFiles() {
    return removed.keySet().stream().filter(key -> !CommitUndoing.isRecord(key)).count();
  }

  /** Returns the size of the restored objects in all. */
  public long restoredBytes() {
    return restored.stream().mapToLong(RestoredFile::sizeBytes).sum();
  }
}
