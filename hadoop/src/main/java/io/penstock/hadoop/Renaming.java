/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.hadoop;

import io.penstock.core.store.ObjectMeta;
import io.penstock.core.store.ObjectStore;
import io.penstock.core.store.StoreException;
import io.penstock.core.store.StoreException.Kind;
import java.io.IOException;
import java.util.Optional;
import java.util.Set;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Renames by keys, where it may be done. A file that this process wrote costs one look beside the
 * copy and the delete: whether anything is at the target, which S3's copy would replace.
 */
final class Renaming {
  private static final Logger LOG = LoggerFactory.getLogger(Renaming.class);

  /** The failures of a copy whose source is not the object that was asked for. */
  private static final Set<Kind> OTHER_SOURCE = Set.of(Kind.NO_SUCH_KEY, Kind.PRECONDITION_FAILED);

  private final ObjectStore store;
  private final Tree tree;
  private final Changes changes;
  private final OwnFiles ownFiles;

  Renaming(ObjectStore store, Tree tree, Changes changes, OwnFiles ownFiles) {
    this.store = store;
    this.tree = tree;
    this.changes = changes;
    this.ownFiles = ownFiles;
  }

  private interface From {
    boolean rename(Optional<Tree.Node> from) throws IOException;
  }

  /**
   * Renames what is at the source: without a look when it is known from its writing, since the copy
   * tells when it is something else by now.
   */
  private boolean whatIsAt(String source, From from) throws IOException {
    Optional<ObjectMeta> own = ownFiles.find(source);
    if (own.isPresent()) {
      try {
        return from.rename(Optional.of(new Tree.Node(own)));
      } catch (StoreException e) {
        if (!OTHER_SOURCE.contains(e.kind())) {
          throw e;
        }
        ownFiles.forget(source);
      }
    }
    return from.rename(tree.find(source));
  }

  /** See {@link FileWriting#rename}. */
  boolean rename(String source, String target) throws IOException {
    if (source.isEmpty()) {
      return refused(source, target, "the source is the root");
    }
    if (source.equals(target)) {
      return isFile(source) || refused(source, target, "they are the same, and no file");
    }
    return whatIsAt(source, from -> rename(from, source, target));
  }

  private boolean rename(Optional<Tree.Node> from, String source, String target)
      throws IOException {
    if (from.isEmpty()) {
      return refused(source, target, "the source does not exist");
    }
    if (target.startsWith(Paths.inside(source))) {
      return refused(source, target, "the target is inside the source");
    }
    Optional<String> free = freeTarget(from.get(), source, target);
    if (free.isEmpty()) {
      return false;
    }
    if (free.get().equals(source)) {
      return isFile(source);
    }
    return moveToFree(from.get(), source, free.get());
  }

  private boolean isFile(String key) throws IOException {
    return tree.find(key).filter(node -> !node.isDirectory()).isPresent();
  }

  /** See {@link FileWriting#replaced}. */
  boolean replaced(String source, String target) throws IOException {
    return !source.equals(target) && whatIsAt(source, from -> replaced(from, source, target));
  }

  private boolean replaced(Optional<Tree.Node> from, String source, String target)
      throws IOException {
    if (from.isEmpty() || from.get().isDirectory()) {
      return false;
    }
    Optional<Tree.Node> to = tree.findUnlikelyFile(target);
    boolean goes = to.isEmpty() ? isBeside(source, target) : !to.get().isDirectory();
    if (goes) {
      replace(from.get().file().orElseThrow(), target);
    }
    return goes;
  }

  private static boolean isBeside(String source, String target) {
    return Paths.parent(source).equals(Paths.parent(target));
  }

  /** Moves to where nothing was just now; false when something has come there first. */
  private boolean moveToFree(Tree.Node from, String source, String target) throws IOException {
    if (from.isDirectory()) {
      changes.renameDirectory(source, target);
    } else {
      ObjectMeta file = from.file().orElseThrow();
      Optional<String> etag = changes.renameFileToFree(file, target);
      if (etag.isEmpty()) {
        return refused(source, target, "another file has just been made at the target");
      }
      moved(file, target, etag.get());
    }
    keepParent(source, target);
    return true;
  }

  private void replace(ObjectMeta file, String target) throws IOException {
    moved(file, target, changes.renameFile(file, target));
    keepParent(file.key(), target);
  }

  private void moved(ObjectMeta file, String target, String etag) {
    ownFiles.forget(file.key());
    ownFiles.wrote(target, file.sizeBytes(), etag);
  }

  private void keepParent(String source, String target) throws IOException {
    // Whoever stays in its directory, or below, keeps it there.
    if (!target.startsWith(Paths.inside(Paths.parent(source)))) {
      changes.keepDirectory(Paths.parent(source));
    }
  }

  /**
   * The key to rename to: the target when nothing is there, or an empty directory that a directory
   * replaces; its child when it is another directory.
   */
  private Optional<String> freeTarget(Tree.Node from, String source, String target)
      throws IOException {
    // One listing tells a file, a directory and nothing apart, and nothing is what is hoped for.
    Optional<Tree.Node> at = tree.findUnlikelyFile(target);
    if (at.isEmpty()) {
      return noFileAbove(source, target) ? Optional.of(target) : Optional.empty();
    }
    if (!at.get().isDirectory()) {
      refused(source, target, "there is a file at the target");
      return Optional.empty();
    }
    if (from.isDirectory() && !target.isEmpty() && tree.isEmptyDirectory(target)) {
      return Optional.of(target);
    }
    String name = source.substring(source.lastIndexOf('/') + 1);
    String inside = Paths.inside(target) + name;
    if (!inside.equals(source) && tree.findUnlikelyFile(inside).isPresent()) {
      refused(source, target, "the target directory has an entry of that name");
      return Optional.empty();
    }
    return Optional.of(inside);
  }

  private boolean noFileAbove(String source, String target) throws IOException {
    String above = Paths.parent(target);
    // What the source lies in is a directory, and so is all that is above it.
    while (!source.startsWith(Paths.inside(above))) {
      Optional<Tree.Node> node = tree.findUnlikelyFile(above);
      if (node.isPresent()) {
        return node.get().isDirectory()
            || refused(source, target, "there is a file above the target");
      }
      above = Paths.parent(above);
    }
    return true;
  }

  private boolean refused(String source, String target, String reason) {
    LOG.info("s3://{}: no rename of {} to {}: {}", store.bucket(), source, target, reason);
    return false;
  }
}
