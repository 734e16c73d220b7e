/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.core.commit;

import io.penstock.core.commit.files.FileSet;
import io.penstock.core.commit.files.InlineFile;
import io.penstock.core.commit.files.Replaced;
import io.penstock.core.commit.intent.Intent;
import java.util.Optional;

/** The progress of one commit. One thread changes it, apart from the sets of files. */
final class CommitProgress {
  private final Intent intent;
  private final FileSet done;
  private final FileSet doubtful;
  private Replaced replaced = Replaced.NOTHING;
  private Optional<Replaced> written = Optional.empty();
  private boolean isEnded;

  CommitProgress(Intent intent) {
    this.intent = intent;
    this.done = FileSet.none(intent.files());
    this.doubtful = FileSet.none(intent.files());
  }

  /** Returns the files that are visible. */
  FileSet done() {
    return done;
  }

  /** Returns the files whose request failed, and may have taken effect all the same. */
  FileSet doubtful() {
    return doubtful;
  }

  FileSet inlineFiles() {
    return FileSet.all(intent.files()).where(InlineFile.class::isInstance);
  }

  /** Returns what the commit replaces: nothing, until this is written down. */
  Replaced replaced() {
    return replaced;
  }

  void replaces(Replaced found) {
    replaced = found;
  }

  /** Returns what was, or was about to be, written down of what the commit replaces. */
  Optional<Replaced> written() {
    return written;
  }

  void writes(Replaced found) {
    written = Optional.of(found);
  }

  /** Returns true if another process has brought the commit to its end. */
  boolean isEnded() {
    return isEnded;
  }

  void ended() {
    isEnded = true;
  }
}
