/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.analyze.input;

import io.penstock.core.store.ByteRange;
import io.penstock.core.store.ListRequest;
import io.penstock.core.store.ObjectMeta;
import io.penstock.core.store.ObjectStore;
import io.penstock.core.store.keys.Keys;
import java.io.IOException;
import java.io.InputStream;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** A log that is an object in a bucket. It is read in ranges of one version of the object. */
public final class BucketSource implements LogSource {
  // Slightly larger than a part of LogParts, so that the end of its last line needs no second
  // range.
  private static final int RANGE_BYTES = (8 << 20) + (64 << 10);

  private final ObjectStore store;
  private final ObjectMeta meta;

  private BucketSource(ObjectStore store, ObjectMeta meta) {
    this.store = store;
    this.meta = meta;
  }

  /**
   * Returns all objects at a key or below it.
   *
   * @param store is closed by the caller after the sources have been read
   */
  public static List<LogSource> below(ObjectStore store, String prefix) throws IOException {
    List<LogSource> sources = new ArrayList<>();
    Keys.forEachPage(
        store,
        ListRequest.flat(prefix),
        page -> {
          for (ObjectMeta meta : page.objects()) {
            boolean isBelow =
                prefix.isEmpty()
                    || prefix.endsWith("/")
                    || meta.key().equals(prefix)
                    || meta.key().startsWith(prefix + "/");
            if (isBelow && !meta.key().endsWith("/")) {
              sources.add(new BucketSource(store, meta));
            }
          }
        });
    return sources;
  }

  /** Returns the source for one object. No request is sent before the source is opened. */
  public static BucketSource of(ObjectStore store, ObjectMeta meta) {
    return new BucketSource(store, meta);
  }

  public String bucket() {
    return store.bucket();
  }

  public ObjectMeta meta() {
    return meta;
  }

  @Override
  public String name() {
    return "s3://" + store.bucket() + "/" + meta.key();
  }

  @Override
  public long sizeBytes() {
    return meta.sizeBytes();
  }

  @Override
  public String version() {
    return meta.etag();
  }

  @Override
  public InputStream open(long position) {
    return new Ranges(position);
  }

  /** Reads the ranges one after another. Holds no connection between two ranges. */
  private final class Ranges extends BulkStream {
    private long position;
    private byte[] range = {};
    private int next;

    Ranges(long position) {
      this.position = position;
    }

    @Override
    public int read(byte[] target, int start, int count) throws IOException {
      if (count == 0) {
        return 0;
      }
      if (next == range.length && !more()) {
        return -1;
      }
      int some = Math.min(count, range.length - next);
      System.arraycopy(range, next, target, start, some);
      next += some;
      return some;
    }

    private boolean more() throws IOException {
      long end = Math.min(position + RANGE_BYTES, meta.sizeBytes());
      if (position >= end) {
        return false;
      }
      range = store.get(meta.key(), new ByteRange(position, end), Optional.of(meta.etag())).bytes();
      position = end;
      next = 0;
      return true;
    }
  }
}
