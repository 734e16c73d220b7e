/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.hadoop.tree;

import io.penstock.core.store.ListPage;
import io.penstock.core.store.ListRequest;
import io.penstock.core.store.ObjectMeta;
import io.penstock.core.store.ObjectStore;
import io.penstock.core.store.StoreException;
import io.penstock.core.store.StoreException.Kind;
import io.penstock.core.store.keys.Keys;
import java.io.IOException;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;

/**
 * The files and directories that the keys of a bucket imply. A directory exists if any key is under
 * it, or if it has a marker; what commits keep there does not count ({@link HiddenNames}). The
 * marker is {@code dir/} from S3A and consoles, and {@code dir_$folder$} from EMRFS. A file hides a
 * directory of the same name.
 */
public final class Tree {
  /**
   * The page size of a probe. It leaves room for keys that sort between {@code x} and {@code x/},
   * such as {@code x-1}.
   */
  private static final int PROBE_KEYS = 50;

  private final ObjectStore store;

  public Tree(ObjectStore store) {
    this.store = store;
  }

  /** The entry at a key: a file if {@code file} is present, otherwise a directory. */
  public record Node(Optional<ObjectMeta> file) {
    public static final Node DIRECTORY = new Node(Optional.empty());

    public boolean isDirectory() {
      return file.isEmpty();
    }
  }

  /**
   * One level of a directory.
   *
   * @param files without markers and hidden names
   * @param directories without hidden names
   * @param firstPage all objects of the first page
   * @param isOnePage whether there are no more pages
   */
  public record Level(
      List<ObjectMeta> files,
      List<String> directories,
      List<ObjectMeta> firstPage,
      boolean isOnePage) {}

  /**
   * Finds the file or directory at a key. Sends one request for a file, and usually one for a
   * directory. Sends two for a missing key with a file's name.
   */
  public Optional<Node> find(String key) throws IOException {
    if (key.isEmpty()) {
      return Optional.of(Node.DIRECTORY);
    }
    if (isAskedFor(key)) {
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
   * Returns true if {@link #find} asks for the object itself. A file that a listing has found lacks
   * what a listing does not tell.
   */
  public static boolean isAskedFor(String key) {
    return KeyName.looksLikeFile(key) && !KeyName.isMostlyMissing(key);
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
    return hasContent(key + "/") ? Optional.of(Node.DIRECTORY) : Optional.empty();
  }

  /**
   * Finds the file or directory at a key that most likely is no file. Usually sends only one
   * request, whatever the name is.
   */
  public Optional<Node> findUnlikelyFile(String key) throws IOException {
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
    String inside = key + "/";
    ListPage page = store.list(ListRequest.flat(key).limit(PROBE_KEYS));
    for (ObjectMeta object : page.objects()) {
      if (object.key().equals(key)) {
        return Optional.of(new Node(Optional.of(object)));
      }
    }
    if (hasContent(page, inside) || hasEmrfsMarker(page, key)) {
      return Optional.of(Node.DIRECTORY);
    }
    return page.nextToken().isPresent() ? findAmongMany(key, inside) : Optional.empty();
  }

  /**
   * Finds the directory at a key that other keys start with, too: names such as {@code x-1/file}
   * sort before {@code x/}.
   */
  private Optional<Node> findAmongMany(String key, String inside) throws IOException {
    ListPage page = store.list(ListRequest.level(key).limit(PROBE_KEYS));
    if (hasEmrfsMarker(page, key)) {
      return Optional.of(Node.DIRECTORY);
    }
    boolean isPossible = page.groups().contains(inside) || page.nextToken().isPresent();
    return isPossible && hasContent(inside) ? Optional.of(Node.DIRECTORY) : Optional.empty();
  }

  /** Returns true if an object under the prefix makes a directory of it. */
  private boolean hasContent(String prefix) throws IOException {
    ListPage page = store.list(ListRequest.flat(prefix).limit(PROBE_KEYS));
    return hasContent(page, prefix) || page.nextToken().isPresent();
  }

  private static boolean hasContent(ListPage page, String prefix) {
    return page.objects().stream()
        .map(ObjectMeta::key)
        .anyMatch(key -> key.startsWith(prefix) && !HiddenNames.isHidden(key, prefix));
  }

  private static boolean hasEmrfsMarker(ListPage page, String key) {
    String marker = key + KeyName.EMRFS_MARKER;
    return page.objects().stream().anyMatch(object -> object.key().equals(marker));
  }

  /** Returns true if the directory contains at most its own marker. Sends one request. */
  public boolean isEmptyDirectory(String key) throws IOException {
    String inside = Paths.inside(key);
    ListPage page = store.list(ListRequest.flat(inside).limit(PROBE_KEYS));
    return page.nextToken().isEmpty()
        && page.objects().stream()
            .map(ObjectMeta::key)
            .allMatch(name -> name.equals(inside) || HiddenNames.isHidden(name, inside));
  }

  /** Returns true if nothing under the prefix makes a directory of it. Sends one request. */
  public boolean isEmpty(String prefix) throws IOException {
    return !hasContent(prefix);
  }

  /**
   * Returns the level under a directory's key. Returns empty if no key is there, not even a marker.
   */
  public Optional<Level> level(String key) throws IOException {
    String prefix = Paths.inside(key);
    List<ObjectMeta> files = new ArrayList<>();
    Set<String> directories = new LinkedHashSet<>();
    List<ListPage> first = new ArrayList<>();
    boolean[] found = {key.isEmpty()};
    Keys.forEachPage(
        store,
        ListRequest.level(prefix),
        page -> {
          if (first.isEmpty()) {
            first.add(page);
          }
          found[0] |= isContent(page, prefix);
          addTo(files, directories, page, prefix);
        });
    if (!found[0]) {
      return Optional.empty();
    }
    boolean isOnePage = first.get(0).nextToken().isEmpty();
    return Optional.of(
        new Level(files, List.copyOf(directories), first.get(0).objects(), isOnePage));
  }

  private static boolean isContent(ListPage page, String prefix) {
    return Stream.concat(page.objects().stream().map(ObjectMeta::key), page.groups().stream())
        .anyMatch(key -> !HiddenNames.isHidden(key, prefix));
  }

  private static void addTo(
      List<ObjectMeta> files, Set<String> directories, ListPage page, String prefix) {
    for (String group : page.groups()) {
      // Skips a group that is only a slash. A path has no empty names, so for x//y the directory x
      // would contain itself.
      if (group.equals(prefix + "/") || HiddenNames.isHidden(group, prefix)) {
        continue;
      }
      directories.add(group.substring(0, group.length() - 1));
    }
    for (ObjectMeta object : page.objects()) {
      String name = object.key();
      if (name.endsWith(KeyName.EMRFS_MARKER)) {
        directories.add(name.substring(0, name.length() - KeyName.EMRFS_MARKER.length()));
      } else if (!name.equals(prefix) && !HiddenNames.isHidden(name, prefix)) {
        files.add(object);
      }
    }
  }
}
