/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.hadoop;

import io.penstock.core.store.Condition;
import java.io.IOException;
import java.util.Set;
import org.apache.hadoop.fs.CreateFlag;
import org.apache.hadoop.fs.FSDataOutputStream;
import org.apache.hadoop.fs.FSDataOutputStreamBuilder;
import org.apache.hadoop.fs.Path;

/**
 * Creates a file with options. Supports Hadoop 3.5's conditional overwrite, by presence or by ETag.
 */
final class CreateBuilder extends FSDataOutputStreamBuilder<FSDataOutputStream, CreateBuilder> {
  private static final String CONDITIONAL = "fs.option.create.conditional.overwrite";
  private static final String ETAG = CONDITIONAL + ".etag";
  private static final Set<String> KNOWN =
      Set.of(CONDITIONAL, ETAG, "fs.option.create.content.type", "fs.s3a.create.performance");

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
    rejectUnknownMandatoryKeys(KNOWN, "for " + getPath());
    if (getFlags().contains(CreateFlag.APPEND)) {
      return appended();
    }
    if (!isRecursive() && getPath().getParent() != null) {
      places.requireDirectory(getPath().getParent());
    }
    return places.create(getPath(), condition());
  }

  private FSDataOutputStream appended() throws IOException {
    if (!getOptions().get(ETAG, "").isEmpty() || getOptions().getBoolean(CONDITIONAL, false)) {
      throw new UnsupportedOperationException(
          getPath() + ": append has a condition of its own, and takes no other one");
    }
    boolean isNew = getFlags().contains(CreateFlag.CREATE) && places.of(getPath()).find().isEmpty();
    return isNew ? places.create(getPath(), Condition.IF_ABSENT) : places.append(getPath());
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
