/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.core.recent;

/**
 * Remembers texts that were already logged, so that a warning is given once. Safe for many threads.
 */
public final class LogOnce {
  private final LruCache<String, Boolean> said;

  /**
   * @param most number of texts that are remembered; an older text may be logged once more
   */
  public LogOnce(int most) {
    this.said = new LruCache<>(most);
  }

  /** Returns true at the first call with this text. */
  public boolean isNew(String text) {
    return said.put(text, true).isEmpty();
  }
}
