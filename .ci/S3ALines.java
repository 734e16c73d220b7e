/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */

import io.penstock.emulator.s3.EmbeddedS3;
import io.penstock.sdk.S3AContract;
import java.util.List;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.contract.AbstractContractOpenTest;
import org.apache.hadoop.fs.contract.AbstractContractSeekTest;
import org.apache.hadoop.fs.contract.AbstractContractUnbufferTest;
import org.apache.hadoop.fs.contract.AbstractContractVectoredReadTest;
import org.apache.hadoop.fs.contract.AbstractFSContract;
import org.apache.hadoop.util.VersionInfo;
import org.junit.runner.JUnitCore;
import org.junit.runner.Result;

/**
 * Hadoop's suites of reading, over S3A with Penstock's streams, on the Hadoop of the class path.
 * Before 3.5 they are of JUnit 4, so that the build, which has 3.5's, cannot run them.
 */
public final class S3ALines {
  static EmbeddedS3 server;

  private S3ALines() {}

  public static class Open extends AbstractContractOpenTest {
    @Override
    protected boolean areZeroByteFilesEncrypted() { // S3A says so of each file
      return true;
    }

    @Override
    protected AbstractFSContract createContract(Configuration conf) {
      return new S3AContract(conf, server);
    }
  }

  public static class Seek extends AbstractContractSeekTest {
    @Override
    protected AbstractFSContract createContract(Configuration conf) {
      return new S3AContract(conf, server);
    }
  }

  public static class Unbuffer extends AbstractContractUnbufferTest {
    @Override
    protected AbstractFSContract createContract(Configuration conf) {
      return new S3AContract(conf, server);
    }
  }

  public static class VectoredRead extends AbstractContractVectoredReadTest {
    public VectoredRead(String bufferType) {
      super(bufferType);
    }

    @Override
    protected AbstractFSContract createContract(Configuration conf) {
      return new S3AContract(conf, server);
    }
  }

  public static void main(String[] arguments) throws Exception {
    int failures = 0;
    try (EmbeddedS3 started = EmbeddedS3.builder().bucket("lake").start()) {
      server = started;
      for (Class<?> suite :
          List.of(Open.class, Seek.class, Unbuffer.class, VectoredRead.class)) {
        Result result = JUnitCore.runClasses(suite);
        System.out.printf(
            "Hadoop %s, %s: %d run, %d failed, %d ignored%n",
            VersionInfo.getVersion(),
            suite.getSimpleName(),
            result.getRunCount(),
            result.getFailureCount(),
            result.getIgnoreCount());
        result.getFailures().forEach(failure -> System.out.println(failure.getTrace()));
        failures += result.getFailureCount() + (result.getRunCount() == 0 ? 1 : 0);
      }
    }
    System.exit(failures == 0 ? 0 : 1);
  }
}
