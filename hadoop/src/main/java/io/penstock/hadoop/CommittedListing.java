/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.hadoop;

import io.penstock.core.commit.view.CommittedView;
import io.penstock.core.commit.view.CommittedView.Listed;
import io.penstock.core.listing.Listing;
import io.penstock.core.stack.StoreStack;
import io.penstock.core.store.ObjectMeta;
import io.penstock.hadoop.tree.FlatListing;
import io.penstock.hadoop.tree.KeyName;
import io.penstock.hadoop.tree.Paths;
import io.penstock.hadoop.tree.Tree;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Lists directories for readers, without files of commits that are under way. */
final class CommittedListing {
  private static final Logger LOG = LoggerFactory.getLogger(CommittedListing.class);

  /** The part of the heap that the objects of one listing may need, at 400 bytes each. */
  private static final long OBJECTS_MAX = Runtime.getRuntime().maxMemory() / 8 / 400;

  private final StoreStack stack;
  private final Tree tree;
  private final CommittedView view;
  private final long objectsMax;

  CommittedListing(StoreStack stack, Tree tree) {
    this(stack, tree, OBJECTS_MAX);
  }

  /**
   * @param objectsMax number of objects that a listing may keep
   */
  CommittedListing(StoreStack stack, Tree tree, long objectsMax) {
    this.objectsMax = objectsMax;
    this.stack = stack;
    this.tree = tree;
    this.view = new CommittedView(stack.store(), stack.pool(), stack.engine().time());
  }

  /** Lists one level; see {@link Tree#level}. */
  Optional<Tree.Level> level(String key) throws IOException {
    List<Tree.Level> last = new ArrayList<>();
    Optional<List<ObjectMeta>> files =
        view.list(
            Paths.inside(key),
            () -> {
              last.clear();
              Optional<Tree.Level> level = tree.level(key);
              level.ifPresent(last::add);
              return Optional.of(
                  level
                      .map(CommittedListing::listed)
                      .orElse(new Listed(List.of(), List.of(), true, false)));
            });
    return last.stream()
        .findFirst()
        .map(
            level ->
                new Tree.Level(
                    files.orElseThrow(),
                    level.directories(),
                    level.firstPage(),
                    level.isOnePage()));
  }

  private static Listed listed(Tree.Level level) {
    boolean isOnlyDirectories =
        !level.directories().isEmpty()
            && level.files().stream().noneMatch(CommittedListing::isData);
    return new Listed(level.files(), level.firstPage(), level.isOnePage(), isOnlyDirectories);
  }

  private static boolean isData(ObjectMeta object) {
    String name = object.key().substring(object.key().lastIndexOf('/') + 1);
    return !name.startsWith("_") && !name.startsWith(".") && !KeyName.isMarker(object.key());
  }

  /** Lists all objects under the prefix, in one piece unless there are too many to keep. */
  FlatListing.Pages pages(String prefix) {
    return new Pages(prefix);
  }

  private final class Pages implements FlatListing.Pages {
    private final String prefix;
    private boolean isBegun;

    /** The beginning of a listing of too many objects; its rest is listed as it is wanted. */
    private List<ObjectMeta> beginning = List.of();

    private Optional<Listing> rest = Optional.empty();

    Pages(String prefix) {
      this.prefix = prefix;
    }

    @Override
    public List<ObjectMeta> next() throws IOException {
      if (isBegun) {
        return rest.isPresent() ? rest.get().next() : List.of();
      }
      Optional<List<ObjectMeta>> all = view.list(prefix, this::list);
      isBegun = true;
      if (all.isEmpty()) {
        LOG.warn(
            "s3://{}/{} has more than {} objects, which are too many to keep (an eighth of the"
                + " heap), so this listing may show a part of a commit",
            stack.store().bucket(),
            prefix,
            objectsMax);
      }
      return all.orElse(beginning);
    }

    private Optional<Listed> list() throws IOException {
      Listing listing = stack.listing(prefix);
      List<ObjectMeta> first = listing.next();
      List<ObjectMeta> all = new ArrayList<>(first);
      boolean isOnePage = true;
      for (List<ObjectMeta> page = listing.next(); !page.isEmpty(); page = listing.next()) {
        isOnePage = false;
        all.addAll(page);
        if (all.size() > objectsMax) {
          beginning = all;
          rest = Optional.of(listing);
          return Optional.empty();
        }
      }
      return Optional.of(new Listed(all, first, isOnePage, false));
    }
  }
}
