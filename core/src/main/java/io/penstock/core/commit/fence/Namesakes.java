/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.core.commit.fence;

import io.penstock.core.commit.intent.Intent;
import io.penstock.core.commit.intent.IntentFiles;
import io.penstock.core.commit.intent.Listing;
import io.penstock.core.commit.intent.Seen;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.util.HashSet;
import java.util.Set;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Knows which other commits at a table have the same name as one that passes the fence. */
final class Namesakes {
  private static final Logger LOG = LoggerFactory.getLogger(Namesakes.class);

  private final IntentFiles files;
  private final Set<String> found = new HashSet<>();
  private final Set<String> strangers = new HashSet<>();

  Namesakes(IntentFiles files) {
    this.files = files;
  }

  /** Returns true if {@link #find} has found this intent. */
  boolean contains(Seen seen) {
    return found.contains(seen.id());
  }

  /**
   * Looks for them among the others of a listing; takes one GET for each intent that it has not
   * seen yet, if the commit has a name. One that has just ended has left its record, which the job
   * looks for afterwards.
   */
  void find(Listing listing, Intent mine) throws IOException {
    if (mine.name().isEmpty()) {
      return;
    }
    for (Seen seen : listing.intents().values()) {
      boolean isKnown = found.contains(seen.id()) || strangers.contains(seen.id());
      if (!isKnown && !seen.isEnded() && !seen.id().equals(mine.id())) {
        (isOne(seen, mine) ? found : strangers).add(seen.id());
      }
    }
  }

  /**
   * An intent that cannot be read must not stop the writes of a query whose user has given no name.
   * It may be of such a write, whose rows are there twice then.
   */
  private boolean isOne(Seen seen, Intent mine) throws IOException {
    try {
      return files.isNamesake(seen, mine);
    } catch (InterruptedIOException e) {
      throw e;
    } catch (IOException e) {
      if (mine.name().orElseThrow().batch().isEmpty()) {
        throw e;
      }
      LOG.warn("The name of a commit that runs beside could not be read: {}", e.getMessage());
      return false;
    }
  }
}
