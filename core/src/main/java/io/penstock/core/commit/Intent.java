/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.core.commit;

import java.util.List;
import java.util.OptionalLong;

/**
 * The text that a job writes down before the first of its files becomes visible, so that whoever
 * finds it can bring the commit to its end.
 *
 * @param turn how often the job has taken an intent back before this one, to let others commit
 * @param isAlone whether no other job may commit to the table meanwhile: it replaces objects, or
 *     its keys are not its own alone
 * @param markerKey of its {@code _SUCCESS}, in the bucket of the table
 * @param marker what it leaves there
 * @param rows that the job has written, if its tasks have counted them
 */
record Intent(
    CommittingJob job,
    int turn,
    boolean isAlone,
    String markerKey,
    SuccessMarker marker,
    OptionalLong rows,
    List<TaskUpload> uploads) {
  Intent {
    uploads = JobUploads.of(uploads);
  }

  /** Returns its name, which no other intent has had: one that is gone never comes back. */
  String id() {
    return job.intentId() + (turn == 0 ? "" : "-" + turn);
  }

  /** Returns the one to put after this one was taken back. */
  Intent next() {
    return new Intent(job, turn + 1, isAlone, markerKey, marker, rows, uploads);
  }

  /** Returns it with other uploads: those of its pages. */
  Intent with(JobUploads all) {
    return new Intent(job, turn, isAlone, markerKey, marker, rows, all);
  }

  /** Returns true if no other job can write to the upload's key. */
  boolean isOwn(TaskUpload upload) {
    return isOwn(job.id(), upload);
  }

  /** Returns true if the key's last part has the job's id in it. */
  static boolean isOwn(String jobId, TaskUpload upload) {
    String key = upload.pending().key();
    return key.substring(key.lastIndexOf('/') + 1).contains(jobId);
  }
}
