/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.core.config.spark;

import io.penstock.core.config.ConfigKey;
import io.penstock.core.config.KeySource;
import java.util.List;
import java.util.stream.Stream;

/** The settings of the Hadoop file system. They stand here because tools judge a job by them. */
public final class HadoopKeys implements KeySource {
  public static final ConfigKey<Long> BLOCK_SIZE =
      ConfigKey.size("block.size")
          .defaultsTo("64M")
          .alsoReads("fs.s3a.block.size", "fs.s3.block.size")
          .mustBe("at least 1M", n -> n >= 1 << 20)
          .doc(
              "Block size that Penstock reports for files. Inputs of RDDs and MapReduce are split"
                  + " into pieces of this size.");

  public static final ConfigKey<Boolean> READ_CHECK_PLAN =
      ConfigKey.bool("read.check.plan")
          .defaultsTo("true")
          .doc(
              "Whether a read fails if the file's size has changed since Spark planned the query."
                  + " Then the file was replaced, and the old plan may miss rows of the new file."
                  + " false: read the new file anyway.");

  public static final ConfigKey<Boolean> READ_COMMITTED =
      ConfigKey.bool("read.committed")
          .defaultsTo("true")
          .doc(
              "Whether listings of a table show each commit as a whole or not at all. Takes one"
                  + " more request a listing. false: also show files of commits that are under"
                  + " way.");

  /** The settings by which Hadoop finds the class of a file system; they set nothing else. */
  public static final List<String> CLASSES = List.of("fs.s3a.impl", "fs.s3.impl");

  /**
   * Settings under the names of S3A and EMRFS that need no warning. Spark itself sets the first,
   * and it asks for our normal behaviour. Hadoop reads the next two. The others are Unity
   * Catalog's: its file system wraps ours, and its credential provider reads them.
   */
  private static final List<String> ANSWERED =
      List.of(
          "fs.s3a.downgrade.syncable.exceptions",
          "fs.s3.impl.disable.cache",
          "fs.s3a.impl.disable.cache",
          "fs.s3.impl.original",
          "fs.s3a.impl.original",
          "fs.s3a.init.access.key",
          "fs.s3a.init.secret.key",
          "fs.s3a.init.session.token",
          "fs.s3a.init.credential.expired.time");

  @Override
  public List<ConfigKey<?>> keys() {
    return List.of(BLOCK_SIZE, READ_CHECK_PLAN, READ_COMMITTED);
  }

  @Override
  public List<String> foreignNames() {
    return Stream.concat(CLASSES.stream(), ANSWERED.stream()).toList();
  }
}
