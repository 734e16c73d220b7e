/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.core.read;

import io.penstock.core.store.ObjectSlice;
import io.penstock.core.time.Time;
import java.time.Duration;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;

/**
 * Keeps the last bytes of objects that were read lately, with the status that came with them, up to
 * a limit of bytes. Those used last are kept. Only for objects that are written once under a name
 * that no other object gets: their bytes cannot change, but they can be deleted. Safe for many
 * threads.
 */
public final class Footers {
  /** An object may be reported as present for this long after another process has deleted it. */
  private static final Duration STATUS_TRUSTED = Duration.ofSeconds(10);

  private static final long BYTES_MAX = 32 << 20;
  private static final int PART_OF_HEAP = 64;

  private final Time time;
  private final long maxBytes;
  private final Map<Name, Entry> entries = new LinkedHashMap<>(16, 0.75f, true);
  private long bytes;

  private record Name(String endpoint, String bucket, String key) {}

  private record Entry(ObjectSlice slice, long nanos) {
    long bytes() {
      return slice.bytes().length;
    }

    boolean isWhole() {
      return slice.start() == 0;
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

  /** Returns the last bytes if the object was there in the last seconds. */
  synchronized Optional<ObjectSlice> findFresh(String endpoint, String bucket, String key) {
    return find(new Name(endpoint, bucket, key)).filter(this::isFresh).map(Entry::slice);
  }

  /**
   * Returns the last bytes of the object. They may be older if the object has more bytes than
   * these: whoever reads the others finds out that it has been deleted.
   */
  synchronized Optional<ObjectSlice> find(String endpoint, String bucket, String key) {
    return find(new Name(endpoint, bucket, key))
        .filter(entry -> !entry.isWhole() || isFresh(entry))
        .map(Entry::slice);
  }

  private Optional<Entry> find(Name name) {
    return Optional.ofNullable(entries.get(name));
  }

  private boolean isFresh(Entry entry) {
    return time.nowNanos() - entry.nanos() <= STATUS_TRUSTED.toNanos();
  }

  /**
   * Keeps the last bytes of an object.
   *
   * @param slice must end at the end of the object
   */
  synchronized void put(String endpoint, String bucket, String key, ObjectSlice slice) {
    remove(endpoint, bucket, key);
    Entry entry = new Entry(slice, time.nowNanos());
    if (entry.bytes() > maxBytes) {
      return;
    }
    entries.put(new Name(endpoint, bucket, key), entry);
    bytes += entry.bytes();
    Iterator<Entry> eldest = entries.values().iterator();
    while (bytes > maxBytes) {
      bytes -= eldest.next().bytes();
      eldest.remove();
    }
  }

  synchronized void remove(String endpoint, String bucket, String key) {
    Entry entry = entries.remove(new Name(endpoint, bucket, key));
    if (entry != null) {
      bytes -= entry.bytes();
    }
  }

  synchronized long bytes() {
    return bytes;
  }
}
