/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.hadoop;

import io.penstock.core.store.Keys;
import io.penstock.core.store.ListPage;
import io.penstock.core.store.ListRequest;
import io.penstock.core.store.ObjectMeta;
import io.penstock.core.store.ObjectStore;
import io.penstock.core.store.StoreException;
import io.penstock.core.store.StoreException.Kind;
import java.io.IOException;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * The files and directories that the keys of a bucket imply. A directory exists if any key is under
 * it, or if it has a marker. The marker is {@code dir/} from S3A and consoles, and {@code
 * dir_$folder$} from EMRFS. A file hides a directory of the same name.
 */
final class Tree {
  /**
   * The page size of a probe. It leaves room for keys that sort between {@code x} and {@code x/},
   * such as {@code x-1}.
   */
  private static final int PROBE_KEYS = 50;

  private final ObjectStore store;

  Tree(ObjectStore store) {
    this.store = store;
  }

  /** The entry at a key: a file if {@code file} is present, otherwise a directory. */
  record Node(Optional<ObjectMeta> file) {
    static final Node DIRECTORY = new Node(Optional.empty());

    boolean isDirectory() {
      return file.isEmpty();
    }
  }

  /** One level of a directory, without markers. */
  record Level(List<ObjectMeta> files, List<String> directories) {}

  /**
   * Finds the file or directory at a key. Sends one request for a file, and usually one for a
   * directory. Sends two for a missing key with a file's name.
   */
  Optional<Node> find(String key) throws IOException {
    if (key.isEmpty()) {
      return Optional.of(Node.DIRECTORY);
    }
    if (KeyName.looksLikeFile(key) && !KeyName.isMostlyMissing(key)) {
      try {
        return Optional.of(new Node(Optional.of(store.head(key))));
      } catch (StoreException e) {
        if (e.kind() != Kind.NO_SUCH_KEY) {
          throw e;
        }
      }
    }
    return findByListing(key);
  }

  /**
   * Finds the file or directory without listing the key itself. Policies often allow listing {@code
   * table/*} but not {@code table}. Then this method requests the object and lists the keys inside.
   */
  private Optional<Node> findInsideOnly(String key) throws IOException {
    try {
      return Optional.of(new Node(Optional.of(store.head(key))));
    } catch (StoreException e) {
      if (e.kind() != Kind.NO_SUCH_KEY && e.kind() != Kind.ACCESS_DENIED) {
        throw e;
      }
    }
    return isEmpty(key + "/") ? Optional.empty() : Optional.of(Node.DIRECTORY);
  }

  /**
   * Finds the file or directory at a key that most likely is no file. Usually sends only one
   * request, whatever the name is.
   */
  Optional<Node> findUnlikelyFile(String key) throws IOException {
    return key.isEmpty() ? Optional.of(Node.DIRECTORY) : findByListing(key);
  }

  private Optional<Node> findByListing(String key) throws IOException {
    try {
      return findInListing(key);
    } catch (StoreException e) {
      if (e.kind() != Kind.ACCESS_DENIED) {
        throw e;
      }
      return findInsideOnly(key);
    }
  }

  private Optional<Node> findInListing(String key) throws IOException {
    ListPage page = store.list(ListRequest.level(key).limit(PROBE_KEYS));
    for (ObjectMeta object : page.objects()) {
      if (object.key().equals(key)) {
        return Optional.of(new Node(Optional.of(object)));
      }
    }
    boolean directory = page.groups().contains(key + "/") || hasEmrfsMarker(page, key);
    if (directory) {
      return Optional.of(Node.DIRECTORY);
    }
    // The page was full of names such as x-1 that sort before x/, so a second request checks for
    // keys inside x/.
    return page.nextToken().isPresent() && !isEmpty(key + "/")
        ? Optional.of(Node.DIRECTORY)
        : Optional.empty();
  }

  private static boolean hasEmrfsMarker(ListPage page, String key) {
    String marker = key + KeyName.EMRFS_MARKER;
    return page.objects().stream().anyMatch(object -> object.key().equals(marker));
  }

  /** Returns true if the directory contains at most its own marker. Sends one request. */
  boolean isEmptyDirectory(String key) throws IOException {
    String inside = Paths.inside(key);
    return store.list(ListRequest.flat(inside).limit(2)).objects().stream()
        .allMatch(object -> object.key().equals(inside));
  }

  /** Returns true if no key has the prefix. */
  boolean isEmpty(String prefix) throws IOException {
    return store.list(ListRequest.flat(prefix).limit(1)).isEmpty();
  }

  /**
   * Returns the level under a directory's key. Returns empty if no key is there, not even a marker.
   */
  Optional<Level> level(String key) throws IOException {
    String prefix = Paths.inside(key);
    List<ObjectMeta> files = new ArrayList<>();
    Set<String> directories = new LinkedHashSet<>();
    boolean[] found = {key.isEmpty()};
    Keys.forEachPage(
        store,
        ListRequest.level(prefix),
        page -> {
          found[0] |= !page.isEmpty();
          addTo(files, directories, page, prefix);
        });
    return found[0] ? Optional.of(new Level(files, List.copyOf(directories))) : Optional.empty();
  }

  private static void addTo(
      List<ObjectMeta> files, Set<String> directories, ListPage page, String prefix) {
    for (String group : page.groups()) {
      // Skips a group that is only a slash. A path has no empty names, so for x//y the directory x
      // would contain itself.
      if (group.equals(prefix + "/")) {
        continue;
      }
      directories.add(group.substring(0, group.length() - 1));
    }
    for (ObjectMeta object : page.objects()) {
      String name = object.key();
      if (name.endsWith(KeyName.EMRFS_MARKER)) {
        directories.add(name.substring(0, name.length() - KeyName.EMRFS_MARKER.length()));
      } else if (!name.equals(prefix)) {
        files.add(object);
      }
    }
  }
}
