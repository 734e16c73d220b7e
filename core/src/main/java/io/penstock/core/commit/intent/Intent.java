/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.core.commit.intent;

import io.penstock.core.commit.files.OutputTable;
import io.penstock.core.commit.files.PackedFiles;
import io.penstock.core.commit.files.RestoredFile;
import io.penstock.core.commit.files.TaskFile;
import io.penstock.core.commit.once.CommitId;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;

/**
 * The record that a job writes before the first of its files becomes visible. Any process that
 * finds the record can end the commit.
 *
 * @param turn number of intents that the job took back before this one, to let others commit
 * @param isAlone whether no other job may commit to the table meanwhile: this job replaces objects,
 *     or other jobs may write to its keys
 * @param isFirst whether the job demands that there was nothing before it
 * @param markerKey key of the job's {@code _SUCCESS}, in the bucket of the table
 * @param marker kind of {@code _SUCCESS} that the job writes
 * @param rows number of rows that the job has written, if its tasks have counted them
 * @param name under which the commit happens once, if it has one
 */
public record Intent(
    CommittingJob job,
    int turn,
    boolean isAlone,
    boolean isFirst,
    String markerKey,
    SuccessMarker marker,
    OptionalLong rows,
    Optional<CommitId> name,
    List<TaskFile> files) {
  public Intent {
    files = PackedFiles.of(files);
  }

  /** An intent of a job without a name that does not demand that there was nothing before it. */
  public Intent(
      CommittingJob job,
      int turn,
      boolean isAlone,
      String markerKey,
      SuccessMarker marker,
      OptionalLong rows,
      List<TaskFile> files) {
    this(job, turn, isAlone, false, markerKey, marker, rows, Optional.empty(), files);
  }

  /**
   * Returns true if a new run of the job would not replace what this one has made visible. Without
   * a decision, such a commit is undone.
   */
  public boolean isUndoneByDefault() {
    return !isAlone || isFirst;
  }

  /**
   * Returns true if the job deletes the {@code _SUCCESS} at the root of the table before the first
   * of its files is visible, and writes one after its last change that is like no other. Empty ones
   * are alike.
   */
  public boolean marks(OutputTable table) {
    return marker == SuccessMarker.JSON && markerKey.equals(table.prefix() + SuccessMarker.NAME);
  }

  /**
   * Returns the intent's name. A name is used only once: an intent that was removed never comes
   * back.
   */
  public String id() {
    return job.intentId() + (turn == 0 ? "" : "-" + turn);
  }

  /** Returns the intent to put after this one was taken back. */
  public Intent next() {
    return new Intent(job, turn + 1, isAlone, isFirst, markerKey, marker, rows, name, files);
  }

  /** Returns this intent with other files, which were read from its pages. */
  Intent with(PackedFiles all) {
    return new Intent(job, turn, isAlone, isFirst, markerKey, marker, rows, name, all);
  }

  /**
   * Returns true if the job takes another commit back, and restores what that has replaced. All its
   * files are restored ones then.
   */
  public boolean restoresFiles() {
    return !files.isEmpty() && files.get(0) instanceof RestoredFile;
  }

  /** Returns true if no other job can write to the file's key. */
  public boolean isOwn(TaskFile file) {
    return isOwn(job.id(), file.key());
  }

  /**
   * Returns true if the key's last part has the job's id in it. An id may be the beginning of
   * another one, as Hadoop's are, so a longer id does not count.
   */
  public static boolean isOwn(String jobId, String key) {
    int name = key.lastIndexOf('/') + 1;
    for (int at = key.indexOf(jobId, name); at >= 0; at = key.indexOf(jobId, at + 1)) {
      int end = at + jobId.length();
      boolean isWhole =
          (at == name || !Character.isLetterOrDigit(key.charAt(at - 1)))
              && (end == key.length() || !Character.isLetterOrDigit(key.charAt(end)));
      if (isWhole) {
        return true;
      }
    }
    return false;
  }
}
