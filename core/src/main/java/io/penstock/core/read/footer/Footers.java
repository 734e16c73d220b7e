/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.core.read.footer;

import io.penstock.core.store.ObjectSlice;
import io.penstock.core.time.Time;
import java.time.Duration;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;

/**
 * Keeps the last bytes of objects that were read in the last seconds, with the status that came
 * with them, up to a limit of bytes. Those used last are kept. Only for objects that are written
 * once under a name that no other object gets: their bytes do not change, but they can be deleted.
 * Safe for many threads.
 */
public final class Footers {
  /** An object may be reported as present for this long after another process has deleted it. */
  private static final Duration TRUSTED = Duration.ofSeconds(10);

  private static final long BYTES_MAX = 32 << 20;
  private static final int PART_OF_HEAP = 64;

  /**
   * So many tasks share the room at first, and {@link #SHARES_MAX} at most: what each of them has
   * just read should be kept until it is used.
   */
  private static final int SHARES_MIN = 8;

  private static final int SHARES_MAX = 64;

  /** After so many entries in a row that were used in time, fewer tasks may share the room. */
  private static final int USED_RUN = 256;

  /** Heap for an entry beside its bytes: names, texts of the status, map entries; an estimate. */
  private static final long ENTRY_BYTES = 1 << 10;

  private final Time time;
  private final long maxBytes;
  private final Map<Name, Entry> entries = new LinkedHashMap<>(16, 0.75f, true);
  private long bytes;
  private long changes;
  private int shares = SHARES_MIN;
  private int usedRun;

  /** The name of an object. */
  record Name(String endpoint, String bucket, String key) {}

  private static final class Entry {
    private final Object owner;
    private final ObjectSlice slice;
    private final long nanos;
    private boolean isUsed;

    /**
     * @param owner the only one that may find the entry
     */
    Entry(Object owner, ObjectSlice slice, long nanos) {
      this.owner = owner;
      this.slice = slice;
      this.nanos = nanos;
    }

    long bytes() {
      return slice.bytes().length + ENTRY_BYTES;
    }
  }

  /** Keeps up to a sixty-fourth of this process's heap, at most 32 MiB. */
  public Footers(Time time) {
    this(time, Math.min(BYTES_MAX, Runtime.getRuntime().maxMemory() / PART_OF_HEAP));
  }

  Footers(Time time, long maxBytes) {
    this.time = time;
    this.maxBytes = maxBytes;
  }

  /**
   * Returns the last bytes of the object if this owner has read them in the last seconds. With an
   * ETag they may be older, because whoever knows the ETag asks for this version.
   *
   * @param etag of the version that is wanted; empty for the present one
   */
  synchronized Optional<ObjectSlice> find(Object owner, Name name, Optional<String> etag) {
    Entry entry = entries.get(name);
    if (entry == null || entry.owner != owner) {
      return Optional.empty();
    }
    boolean isWanted =
        etag.isPresent() ? etag.get().equals(entry.slice.meta().etag()) : isTrusted(entry);
    if (!isWanted) {
      return Optional.empty();
    }
    used(entry);
    return Optional.of(entry.slice);
  }

  private boolean isTrusted(Entry entry) {
    return time.nowNanos() - entry.nanos <= TRUSTED.toNanos();
  }

  private void used(Entry entry) {
    if (entry.isUsed) {
      return;
    }
    entry.isUsed = true;
    usedRun++;
    if (usedRun >= USED_RUN) {
      usedRun = 0;
      shares = Math.max(SHARES_MIN, shares / 2);
    }
  }

  /** Returns the number of changes that this process has made so far, for {@link #put}. */
  synchronized long changes() {
    return changes;
  }

  /**
   * Keeps the last bytes of an object, unless this process has changed anything since the request
   * for them began: they may have been overtaken.
   *
   * @param slice must end at the end of the object
   * @param changesBefore {@link #changes} before the request
   */
  synchronized void put(Object owner, Name name, ObjectSlice slice, long changesBefore) {
    if (changes != changesBefore) {
      return;
    }
    drop(name);
    Entry entry = new Entry(owner, slice, time.nowNanos());
    if (entry.bytes() > maxBytes) {
      return;
    }
    entries.put(name, entry);
    bytes += entry.bytes();
    Iterator<Entry> eldest = entries.values().iterator();
    while (bytes > maxBytes) {
      Entry gone = eldest.next();
      bytes -= gone.bytes();
      eldest.remove();
      if (!gone.isUsed && isTrusted(gone)) {
        cameTooLate();
      }
    }
  }

  /** An entry had to go before it was used: more tasks share the room than it was divided for. */
  private void cameTooLate() {
    usedRun = 0;
    shares = Math.min(SHARES_MAX, shares * 2);
  }

  /** Forgets an object that this process has changed, whoever has read it. */
  synchronized void remove(Name name) {
    changes++;
    drop(name);
  }

  private void drop(Name name) {
    Entry entry = entries.remove(name);
    if (entry != null) {
      bytes -= entry.bytes();
    }
  }

  /**
   * Returns how many bytes an entry may have, so that all tasks at once find their entries. Less if
   * entries had to go in the last seconds before they were used.
   */
  synchronized long shareBytes() {
    return maxBytes / shares;
  }

  synchronized long bytes() {
    return bytes;
  }
}
