/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.hadoop;

import java.util.List;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.contract.AbstractContractAppendTest;
import org.apache.hadoop.fs.contract.AbstractContractBulkDeleteTest;
import org.apache.hadoop.fs.contract.AbstractContractConcatTest;
import org.apache.hadoop.fs.contract.AbstractContractContentSummaryTest;
import org.apache.hadoop.fs.contract.AbstractContractCopyFromLocalTest;
import org.apache.hadoop.fs.contract.AbstractContractCreateTest;
import org.apache.hadoop.fs.contract.AbstractContractDeleteTest;
import org.apache.hadoop.fs.contract.AbstractContractEtagTest;
import org.apache.hadoop.fs.contract.AbstractContractGetEnclosingRoot;
import org.apache.hadoop.fs.contract.AbstractContractGetFileStatusTest;
import org.apache.hadoop.fs.contract.AbstractContractMkdirTest;
import org.apache.hadoop.fs.contract.AbstractContractMultipartUploaderTest;
import org.apache.hadoop.fs.contract.AbstractContractOpenTest;
import org.apache.hadoop.fs.contract.AbstractContractRenameTest;
import org.apache.hadoop.fs.contract.AbstractContractRootDirectoryTest;
import org.apache.hadoop.fs.contract.AbstractContractSeekTest;
import org.apache.hadoop.fs.contract.AbstractContractSetTimesTest;
import org.apache.hadoop.fs.contract.AbstractContractStreamIOStatisticsTest;
import org.apache.hadoop.fs.contract.AbstractContractUnbufferTest;
import org.apache.hadoop.fs.contract.AbstractContractVectoredReadTest;
import org.apache.hadoop.fs.contract.AbstractFSContract;
import org.junit.jupiter.api.Disabled;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Hadoop's own file system contract, suite by suite. Three suites are of HDFS alone and left out:
 * lease recovery and safe mode (S3 has neither), and path handles (most of its cases append to
 * files).
 */
class HadoopContractTest {

  @Nested
  class Append extends AbstractContractAppendTest {
    @Override
    protected AbstractFSContract createContract(Configuration conf) {
      return new S3Contract(conf);
    }

    @Test
    @Override
    @Disabled("a file that is renamed while it is open does not get what is added: the close fails")
    public void testRenameFileBeingAppended() {}
  }

  @Nested
  class BulkDelete extends AbstractContractBulkDeleteTest {
    @Override
    protected AbstractFSContract createContract(Configuration conf) {
      return new S3Contract(conf);
    }

    @Override
    protected int getExpectedPageSize() {
      return 1000;
    }
  }

  @Nested
  class Concat extends AbstractContractConcatTest {
    @Override
    protected AbstractFSContract createContract(Configuration conf) {
      return new S3Contract(conf);
    }
  }

  @Nested
  class ContentSummary extends AbstractContractContentSummaryTest {
    @Override
    protected AbstractFSContract createContract(Configuration conf) {
      return new S3Contract(conf);
    }
  }

  @Nested
  class CopyFromLocal extends AbstractContractCopyFromLocalTest {
    @Override
    protected AbstractFSContract createContract(Configuration conf) {
      return new S3Contract(conf);
    }
  }

  @Nested
  class Create extends AbstractContractCreateTest {
    @Override
    protected AbstractFSContract createContract(Configuration conf) {
      return new S3Contract(conf);
    }

    @Test
    @Override
    public void testMkdirUnderFile() throws Throwable {
      TestBucket.assumeNot("versitygw", "keeps objects as files, so none lies under another");
      super.testMkdirUnderFile();
    }

    @Test
    @Override
    public void testMkdirUnderFileSubdir() throws Throwable {
      TestBucket.assumeNot("versitygw", "keeps objects as files, so none lies under another");
      super.testMkdirUnderFileSubdir();
    }
  }

  @Nested
  class Delete extends AbstractContractDeleteTest {
    @Override
    protected AbstractFSContract createContract(Configuration conf) {
      return new S3Contract(conf);
    }
  }

  @Nested
  class Etag extends AbstractContractEtagTest {
    @Override
    protected AbstractFSContract createContract(Configuration conf) {
      return new S3Contract(conf);
    }
  }

  @Nested
  class GetEnclosingRoot extends AbstractContractGetEnclosingRoot {
    @Override
    protected AbstractFSContract createContract(Configuration conf) {
      return new S3Contract(conf);
    }
  }

  @Nested
  class GetFileStatus extends AbstractContractGetFileStatusTest {
    @Override
    protected AbstractFSContract createContract(Configuration conf) {
      return new S3Contract(conf);
    }
  }

  @Nested
  class Mkdir extends AbstractContractMkdirTest {
    @Override
    protected AbstractFSContract createContract(Configuration conf) {
      return new S3Contract(conf);
    }

    @Test
    @Override
    @Disabled("mkdirs is two requests at most: it does not look for files above the new directory")
    public void testMkdirOverParentFile() {}
  }

  @Nested
  class MultipartUploader extends AbstractContractMultipartUploaderTest {
    @Override
    protected AbstractFSContract createContract(Configuration conf) {
      return new S3Contract(conf);
    }

    @Override
    protected int partSizeInBytes() {
      return 5 << 20;
    }

    @Override
    protected int getTestPayloadCount() {
      return 3;
    }

    @Override
    protected boolean finalizeConsumesUploadIdImmediately() {
      return true;
    }

    @Override
    protected boolean supportsConcurrentUploadsToSamePath() {
      return true;
    }

    @Test
    @Override
    public void testSingleUpload() throws Exception {
      for (String server :
          List.of("versitygw", "ceph16", "ceph18", "ceph19", "ceph20", "seaweedfs")) {
        TestBucket.assumeNot(server, "answers a repeated Complete with success");
      }
      super.testSingleUpload();
    }

    @Test
    @Override
    public void testMultipartUploadEmptyPart() throws Exception {
      TestBucket.assumeNot("garage", "takes no empty part");
      super.testMultipartUploadEmptyPart();
    }

    @Test
    @Override
    public void testUploadEmptyBlock() throws Exception {
      TestBucket.assumeNot("garage", "takes no empty part");
      super.testUploadEmptyBlock();
    }

    @Test
    @Override
    public void testAbortAllPendingUploads() throws Exception {
      TestBucket.assumeNot("minio", "lists uploads by whole keys only, not by a prefix");
      super.testAbortAllPendingUploads();
    }
  }

  @Nested
  class Open extends AbstractContractOpenTest {
    @Override
    protected AbstractFSContract createContract(Configuration conf) {
      return new S3Contract(conf);
    }
  }

  @Nested
  class Rename extends AbstractContractRenameTest {
    @Override
    protected AbstractFSContract createContract(Configuration conf) {
      return new S3Contract(conf);
    }
  }

  @Nested
  class RootDirectory extends AbstractContractRootDirectoryTest {
    @Override
    protected AbstractFSContract createContract(Configuration conf) {
      return new S3Contract(conf, TestBucket.rootUri());
    }
  }

  @Nested
  class Seek extends AbstractContractSeekTest {
    @Override
    protected AbstractFSContract createContract(Configuration conf) {
      return new S3Contract(conf);
    }
  }

  @Nested
  class SetTimes extends AbstractContractSetTimesTest {
    @Override
    protected AbstractFSContract createContract(Configuration conf) {
      return new S3Contract(conf);
    }
  }

  @Nested
  class StreamIOStatistics extends AbstractContractStreamIOStatisticsTest {
    @Override
    protected AbstractFSContract createContract(Configuration conf) {
      return new S3Contract(conf);
    }
  }

  @Nested
  class Unbuffer extends AbstractContractUnbufferTest {
    @Override
    protected AbstractFSContract createContract(Configuration conf) {
      return new S3Contract(conf);
    }
  }

  @Nested
  @ParameterizedClass(name = "buffer-{0}")
  @MethodSource("params")
  class VectoredRead extends AbstractContractVectoredReadTest {
    VectoredRead(String bufferType) {
      super(bufferType);
    }

    @Override
    protected AbstractFSContract createContract(Configuration conf) {
      return new S3Contract(conf);
    }
  }
}
