/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.hadoop;

import io.penstock.core.store.ListPage;
import io.penstock.core.store.ListRequest;
import io.penstock.core.store.ObjectMeta;
import io.penstock.core.store.ObjectStore;
import java.io.IOException;
import java.util.ArrayDeque;
import java.util.NoSuchElementException;
import java.util.Queue;
import java.util.function.Function;
import org.apache.hadoop.fs.LocatedFileStatus;
import org.apache.hadoop.fs.RemoteIterator;

/**
 * The files under a prefix, without markers. Each request returns a page of up to a thousand keys.
 */
final class FlatListing implements RemoteIterator<LocatedFileStatus> {
  private final ObjectStore store;
  private final Function<ObjectMeta, LocatedFileStatus> status;
  private final Queue<ObjectMeta> page = new ArrayDeque<>();
  private ListRequest next;
  private boolean sawAnyKey;

  FlatListing(ObjectStore store, String prefix, Function<ObjectMeta, LocatedFileStatus> status) {
    this.store = store;
    this.status = status;
    this.next = ListRequest.flat(prefix);
  }

  /**
   * Returns true if the listing has returned any key so far, even a marker: then the directory
   * exists.
   */
  boolean sawAnyKey() {
    return sawAnyKey;
  }

  @Override
  public boolean hasNext() throws IOException {
    while (page.isEmpty() && next != null) {
      try {
        ListPage listed = store.list(next);
        sawAnyKey |= !listed.isEmpty();
        listed.objects().stream()
            .filter(object -> !KeyName.isMarker(object.key()))
            .forEach(page::add);
        next = listed.nextToken().map(next::next).orElse(null);
      } catch (IOException e) {
        throw Failures.translate("s3://" + store.bucket() + "/" + next.prefix(), e);
      }
    }
    return !page.isEmpty();
  }

  @Override
  public LocatedFileStatus next() throws IOException {
    if (!hasNext()) {
      throw new NoSuchElementException();
    }
    return status.apply(page.remove());
  }
}
