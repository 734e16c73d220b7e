/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.hadoop;

import io.penstock.core.store.Condition;
import io.penstock.core.store.meta.UserMetadata;
import io.penstock.hadoop.tree.NewFile;
import java.io.IOException;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import org.apache.hadoop.fs.CreateFlag;
import org.apache.hadoop.fs.FSDataOutputStream;
import org.apache.hadoop.fs.FSDataOutputStreamBuilder;
import org.apache.hadoop.fs.Path;

/**
 * Creates a file with options. Supports Hadoop 3.5's conditional overwrite, by presence or by ETag,
 * and S3A's headers, which are user-defined metadata of the object.
 */
final class CreateBuilder extends FSDataOutputStreamBuilder<FSDataOutputStream, CreateBuilder> {
  private static final String CONDITIONAL = "fs.option.create.conditional.overwrite";
  private static final String ETAG = CONDITIONAL + ".etag";
  private static final String HEADER = "fs.s3a.create.header.";
  private static final Set<String> KNOWN =
      Set.of(
          CONDITIONAL,
          ETAG,
          "fs.option.create.content.type",
          "fs.s3a.create.performance",
          "fs.s3a.create.multipart");

  private final Places places;

  CreateBuilder(PenstockFileSystem fs, Places places, Path path) {
    super(fs, path);
    this.places = places;
  }

  @Override
  public CreateBuilder getThisBuilder() {
    return this;
  }

  @Override
  public FSDataOutputStream build() throws IOException {
    Set<String> known = new HashSet<>(KNOWN);
    getMandatoryKeys().stream().filter(key -> key.startsWith(HEADER)).forEach(known::add);
    rejectUnknownMandatoryKeys(known, "for " + getPath());
    UserMetadata user = metadata();
    if (getFlags().contains(CreateFlag.APPEND)) {
      return appended(user);
    }
    if (!isRecursive() && getPath().getParent() != null) {
      places.requireDirectory(getPath().getParent());
    }
    return places.create(getPath(), new NewFile(condition(), user, isDemanded()));
  }

  private FSDataOutputStream appended(UserMetadata user) throws IOException {
    if (!getOptions().get(ETAG, "").isEmpty() || getOptions().getBoolean(CONDITIONAL, false)) {
      throw new UnsupportedOperationException(
          getPath() + ": append has a condition of its own, and takes no other one");
    }
    boolean isNew = getFlags().contains(CreateFlag.CREATE) && places.of(getPath()).find().isEmpty();
    if (isNew) {
      return places.create(getPath(), new NewFile(Condition.IF_ABSENT, user, isDemanded()));
    }
    if (isDemanded()) {
      throw new UnsupportedOperationException(
          getPath() + ": a file that is appended to keeps the metadata that it has");
    }
    return places.append(getPath());
  }

  private boolean isDemanded() {
    return getMandatoryKeys().stream().anyMatch(key -> key.startsWith(HEADER));
  }

  private UserMetadata metadata() {
    Map<String, String> headers = new HashMap<>();
    for (Map.Entry<String, String> option : getOptions()) {
      if (option.getKey().startsWith(HEADER)) {
        headers.put(option.getKey().substring(HEADER.length()), option.getValue());
      }
    }
    try {
      return UserMetadata.of(headers);
    } catch (IllegalArgumentException e) {
      throw new IllegalArgumentException(getPath() + ": " + e.getMessage(), e);
    }
  }

  private Condition condition() {
    String etag = getOptions().get(ETAG, "");
    if (!etag.isEmpty()) {
      return Condition.ifMatch(etag);
    }
    boolean conditional = getOptions().getBoolean(CONDITIONAL, false);
    boolean overwrite = getFlags().contains(CreateFlag.OVERWRITE) && !conditional;
    return overwrite ? Condition.NONE : Condition.IF_ABSENT;
  }
}
