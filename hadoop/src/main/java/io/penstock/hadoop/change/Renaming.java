/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.hadoop.change;

import io.penstock.core.store.ObjectMeta;
import io.penstock.core.store.ObjectStore;
import io.penstock.core.store.StoreException;
import io.penstock.core.store.StoreException.Kind;
import io.penstock.hadoop.FileWriting;
import io.penstock.hadoop.change.Changes.OtherVersionException;
import io.penstock.hadoop.tree.Paths;
import io.penstock.hadoop.tree.Tree;
import java.io.IOException;
import java.util.Optional;
import java.util.Set;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Renames by keys, if the rename is allowed. For a file that this process wrote, a rename costs one
 * request besides those that move the file. That request checks whether a directory or a file is at
 * the target.
 */
public final class Renaming {
  private static final Logger LOG = LoggerFactory.getLogger(Renaming.class);

  /** The failures of a copy whose source is missing or has another version. */
  private static final Set<Kind> OTHER_SOURCE = Set.of(Kind.NO_SUCH_KEY, Kind.PRECONDITION_FAILED);

  private final ObjectStore store;
  private final Tree tree;
  private final Changes changes;
  private final OwnFiles ownFiles;
  private final RenameWarnings warnings;

  public Renaming(
      ObjectStore store, Tree tree, Changes changes, OwnFiles ownFiles, RenameWarnings warnings) {
    this.store = store;
    this.tree = tree;
    this.changes = changes;
    this.ownFiles = ownFiles;
    this.warnings = warnings;
  }

  private interface From {
    boolean rename(Optional<Tree.Node> from) throws IOException;
  }

  /**
   * Renames the file or directory at the source. If this process wrote the source, no request looks
   * it up first: the copy fails if the source has changed since.
   */
  private boolean whatIsAt(String source, From from) throws IOException {
    Optional<ObjectMeta> own = ownFiles.find(source);
    if (own.isPresent()) {
      try {
        return from.rename(Optional.of(new Tree.Node(own)));
      } catch (OtherVersionException e) {
        ownFiles.forget(source);
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
  public boolean rename(String source, String target) throws IOException {
    if (source.isEmpty()) {
      return refused(source, target, "the source is the root");
    }
    if (source.equals(target)) {
      return isFile(source)
          || refused(source, target, "source and target are the same path, which is not a file");
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
  public boolean replaced(String source, String target) throws IOException {
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

  /**
   * Moves to a target that was free a moment ago. Returns false if a file has appeared there since.
   */
  private boolean moveToFree(Tree.Node from, String source, String target) throws IOException {
    if (from.isDirectory()) {
      changes.renameDirectory(source, target);
    } else {
      ObjectMeta file = from.file().orElseThrow();
      Optional<String> etag = toFree(file, target);
      if (etag.isEmpty()) {
        return refused(source, target, "another file was just created at the target");
      }
      moved(file, target, etag.get());
    }
    keepParent(source, target);
    return true;
  }

  private Optional<String> toFree(ObjectMeta file, String target) throws IOException {
    if (store.supportsConditionalWrites(target)) {
      return changes.renameFileToFree(file, target);
    }
    warnings.notExclusive(store.bucket());
    return Optional.of(changes.renameFile(file, target));
  }

  private void replace(ObjectMeta file, String target) throws IOException {
    moved(file, target, changes.renameFile(file, target));
    keepParent(file.key(), target);
  }

  private void moved(ObjectMeta file, String target, String etag) {
    ownFiles.moved(file, target, etag);
  }

  private void keepParent(String source, String target) throws IOException {
    // A target in the source's directory, or below it, keeps that directory from becoming empty.
    if (!target.startsWith(Paths.inside(Paths.parent(source)))) {
      changes.keepDirectory(Paths.parent(source));
    }
  }

  /**
   * Returns the key to rename to. This is the target itself if nothing is there, or if the source
   * is a directory and the target is an empty directory. It is the target's child if the target is
   * any other directory. Returns empty if the rename is refused.
   */
  private Optional<String> freeTarget(Tree.Node from, String source, String target)
      throws IOException {
    // One listing distinguishes a file, a directory and nothing. Nothing is the usual result.
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
      refused(source, target, "the target directory has an entry with the source's name");
      return Optional.empty();
    }
    return Optional.of(inside);
  }

  private boolean noFileAbove(String source, String target) throws IOException {
    String above = Paths.parent(target);
    // The directory of the source and all directories above it exist, so the loop stops there.
    while (!source.startsWith(Paths.inside(above))) {
      Optional<Tree.Node> node = tree.findUnlikelyFile(above);
      if (node.isPresent()) {
        return node.get().isDirectory()
            || refused(source, target, "a parent directory of the target is a file");
      }
      above = Paths.parent(above);
    }
    return true;
  }

  private boolean refused(String source, String target, String reason) {
    LOG.info("s3://{}: {} is not renamed to {}: {}", store.bucket(), source, target, reason);
    return false;
  }
}
