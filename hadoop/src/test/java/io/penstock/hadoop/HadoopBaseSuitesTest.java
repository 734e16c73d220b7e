/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.hadoop;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.util.UUID;
import org.apache.hadoop.fs.FSMainOperationsBaseTest;
import org.apache.hadoop.fs.FileContext;
import org.apache.hadoop.fs.FileContextCreateMkdirBaseTest;
import org.apache.hadoop.fs.FileContextMainOperationsBaseTest;
import org.apache.hadoop.fs.FileContextTestHelper;
import org.apache.hadoop.fs.FileContextURIBase;
import org.apache.hadoop.fs.FileContextUtilBase;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.FileSystemContractBaseTest;
import org.apache.hadoop.fs.Path;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Disabled;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;

/** Hadoop's older base suites for file systems and file contexts. */
class HadoopBaseSuitesTest {
  private static final String MKDIRS =
      "mkdirs is two requests at most: it does not look for files above the new directory";
  private static final String PERMISSIONS = "S3 has no permissions of files and directories";
  private static final String RENAME = "directories are implied: a target needs none above it";

  private static FileSystem newFileSystem() throws IOException {
    return FileSystem.newInstance(TestBucket.uri(), TestBucket.conf());
  }

  private static FileContext newFileContext() throws IOException {
    return FileContext.getFileContext(TestBucket.uri(), TestBucket.conf());
  }

  private static FileContextTestHelper helper() {
    return new FileContextTestHelper("/context/" + UUID.randomUUID());
  }

  @Nested
  class FsMainOperations extends FSMainOperationsBaseTest {
    FsMainOperations() {
      super("/main");
    }

    @Override
    protected FileSystem createFileSystem() throws Exception {
      return newFileSystem();
    }

    @Test
    @Override
    @Disabled(MKDIRS)
    public void testMkdirsFailsForSubdirectoryOfExistingFile() {}

    @Test
    @Override
    @Disabled(PERMISSIONS)
    public void testListStatusThrowsExceptionForUnreadableDir() {}

    @Test
    @Override
    @Disabled(PERMISSIONS)
    public void testGlobStatusThrowsExceptionForUnreadableDir() {}
  }

  @Nested
  class FileSystemContract extends FileSystemContractBaseTest {
    @BeforeEach
    void setUp() throws IOException {
      fs = newFileSystem();
    }

    @Override
    public Path getTestBaseDir() {
      return fs.makeQualified(new Path("/base"));
    }

    @Test
    @Override
    @Disabled(MKDIRS)
    public void testMkdirsFailsForSubdirectoryOfExistingFile() {}

    @Test
    @Override
    @Disabled(PERMISSIONS)
    public void testMkdirsWithUmask() {}

    /** A directory replaces an empty one, as on a local disk and in S3A; HDFS moves into it. */
    @Test
    @Override
    public void testRenameDirectoryAsExistingDirectory() throws Exception {
      Path source = path("testRenameDirectoryAsExistingDirectory/dir");
      fs.mkdirs(source);
      createFile(new Path(source, "file1"));
      createFile(new Path(source, "subdir/file2"));
      Path target = path("testRenameDirectoryAsExistingDirectoryNew/newdir");
      fs.mkdirs(target);
      rename(source, target, true, false, true);
      assertThat(fs.exists(new Path(target, "file1"))).isTrue();
      assertThat(fs.exists(new Path(target, "subdir/file2"))).isTrue();
      assertThat(fs.exists(new Path(target, "dir"))).isFalse();
    }

    @Test
    @Override
    @Disabled(RENAME)
    public void testRenameFileMoveToNonExistentDirectory() {}

    @Test
    @Override
    @Disabled(RENAME)
    public void testRenameDirectoryMoveToNonExistentDirectory() {}
  }

  @Nested
  class FileContextMainOperations extends FileContextMainOperationsBaseTest {
    @BeforeEach
    @Override
    public void setUp() throws Exception {
      fc = newFileContext();
      super.setUp();
    }

    @Override
    protected FileContextTestHelper createFileContextHelper() {
      return helper();
    }

    @Override
    protected boolean listCorruptedBlocksSupported() {
      return false;
    }

    @Test
    @Override
    @Disabled(MKDIRS)
    public void testMkdirsFailsForSubdirectoryOfExistingFile() {}

    @Test
    @Override
    public void testCreateFlagAppendExistingFile() throws IOException {
      assumeTrue(TestBucket.appends());
      super.testCreateFlagAppendExistingFile();
    }

    @Test
    @Override
    public void testCreateFlagCreateAppendExistingFile() throws IOException {
      assumeTrue(TestBucket.appends());
      super.testCreateFlagCreateAppendExistingFile();
    }

    @Test
    @Override
    public void testBuilderCreateAppendExistingFile() throws IOException {
      assumeTrue(TestBucket.appends());
      super.testBuilderCreateAppendExistingFile();
    }

    @Test
    @Override
    @Disabled("resolves the path of a file that is still being written, and so not there")
    public void testSetVerifyChecksum() {}
  }

  @Nested
  class FileContextUri extends FileContextURIBase {
    @BeforeEach
    @Override
    public void setUp() throws Exception {
      fc1 = newFileContext();
      fc2 = newFileContext();
      super.setUp();
    }

    @Test
    @Override
    @Disabled(MKDIRS)
    public void testMkdirsFailsForSubdirectoryOfExistingFile() {}

    @Test
    @Override
    @Disabled("asks for used space; a bucket does not tell")
    public void testFileStatus() {}
  }

  @Nested
  class FileContextCreateMkdir extends FileContextCreateMkdirBaseTest {
    @BeforeEach
    @Override
    public void setUp() throws Exception {
      fc = newFileContext();
      super.setUp();
    }

    @Override
    protected FileContextTestHelper createFileContextHelper() {
      return helper();
    }

    @Test
    @Override
    @Disabled(MKDIRS)
    public void testMkdirRecursiveWithExistingFile() {}
  }

  @Nested
  class FileContextUtil extends FileContextUtilBase {
    @BeforeEach
    @Override
    public void setUp() throws Exception {
      fc = newFileContext();
      super.setUp();
    }
  }
}
