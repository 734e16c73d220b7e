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
 * Files and directories as the keys of a bucket imply them. A directory is there when any key lies
 * under it, or a marker does: {@code dir/} as S3A and consoles write it, {@code dir_$folder$} as
 * EMRFS does. A file hides a directory of the same name.
 */
final class Tree {
  /**
   * Keys that sort between {@code x} and {@code x/}, such as {@code x-1}, must fit a probe's page.
   */
  private static final int PROBE_KEYS = 50;

  private final ObjectStore store;

  Tree(ObjectStore store) {
    this.store = store;
  }

  /** The thing at a key: a file when {@code file} is present, a directory otherwise. */
  record Node(Optional<ObjectMeta> file) {
    static final Node DIRECTORY = new Node(Optional.empty());

    boolean isDirectory() {
      return file.isEmpty();
    }
  }

  /** One level of a directory, without markers. */
  record Level(List<ObjectMeta> files, List<String> directories) {}

  /**
   * Looks at a key: one request for a file and mostly for a directory, two for what is missing but
   * has a file's name.
   */
  Optional<Node> find(String key) throws IOException {
    if (key.isEmpty()) {
      return Optional.of(Node.DIRECTORY);
    }
    if (KeyName.looksLikeFile(key)) {
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
   * Policies often allow listing {@code table/*} and not {@code table}: then the file itself is
   * asked for, and what is inside.
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

  /** Looks at a key that most likely is no file: one request, whatever its name. */
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
    // The page was full of names like x-1 that sort before x/: ask for what is inside itself.
    return page.nextToken().isPresent() && !isEmpty(key + "/")
        ? Optional.of(Node.DIRECTORY)
        : Optional.empty();
  }

  private static boolean hasEmrfsMarker(ListPage page, String key) {
    String marker = key + KeyName.EMRFS_MARKER;
    return page.objects().stream().anyMatch(object -> object.key().equals(marker));
  }

  /** Returns true if nothing but a marker of the directory itself is inside; one request. */
  boolean isEmptyDirectory(String key) throws IOException {
    String inside = Paths.inside(key);
    return store.list(ListRequest.flat(inside).limit(2)).objects().stream()
        .allMatch(object -> object.key().equals(inside));
  }

  /** Returns true if no key at all has the prefix. */
  boolean isEmpty(String prefix) throws IOException {
    return store.list(ListRequest.flat(prefix).limit(1)).isEmpty();
  }

  /** The level under a directory's key; empty when nothing, not even a marker, is there. */
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
      // The key of a path has no empty names: under x//y, directory x would contain itself.
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
