/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.hadoop.tree;

import io.penstock.core.store.ObjectMeta;
import java.io.IOException;
import java.util.ArrayDeque;
import java.util.List;
import java.util.NoSuchElementException;
import java.util.Queue;
import java.util.function.Function;
import org.apache.hadoop.fs.LocatedFileStatus;
import org.apache.hadoop.fs.RemoteIterator;

/** The files of a listing, without markers. */
public final class FlatListing implements RemoteIterator<LocatedFileStatus> {
  private final String directory;
  private final Pages pages;
  private final Function<ObjectMeta, LocatedFileStatus> status;
  private final Queue<ObjectMeta> page = new ArrayDeque<>();
  private boolean isOver;
  private boolean sawAnyKey;

  /** The objects of a listing, some at a time. */
  @FunctionalInterface
  public interface Pages {
    /** Returns the next objects; an empty list after the last one. */
    List<ObjectMeta> next() throws IOException;
  }

  /**
   * @param directory named in errors
   */
  public FlatListing(
      String directory, Pages pages, Function<ObjectMeta, LocatedFileStatus> status) {
    this.directory = directory;
    this.pages = pages;
    this.status = status;
  }

  /**
   * Returns true if the listing has returned any key so far, even a marker: then the directory
   * exists.
   */
  public boolean sawAnyKey() {
    return sawAnyKey;
  }

  @Override
  public boolean hasNext() throws IOException {
    while (page.isEmpty() && !isOver) {
      try {
        List<ObjectMeta> objects = pages.next();
        isOver = objects.isEmpty();
        sawAnyKey |= !isOver;
        objects.stream().filter(object -> !KeyName.isMarker(object.key())).forEach(page::add);
      } catch (IOException e) {
        throw Failures.translate(directory, e);
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
