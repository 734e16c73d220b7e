/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.sdk;

import static org.assertj.core.api.Assertions.assertThat;

import io.penstock.emulator.s3.EmbeddedS3;
import io.penstock.emulator.weather.Weather;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.lang.reflect.Method;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.apache.iceberg.aws.AwsClientProperties;
import org.apache.iceberg.aws.HttpClientProperties;
import org.apache.iceberg.aws.s3.S3FileIO;
import org.apache.iceberg.aws.s3.S3FileIOProperties;
import org.apache.iceberg.io.OutputFile;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import software.amazon.awssdk.services.s3.S3ClientBuilder;

/** Iceberg's S3FileIO, which repeats nothing, with the engine under it. */
class IcebergClientFactoryTest {
  private static final String FILE = "s3://lake/table/data/00000.bin";
  private static final int MIB = 1 << 20;

  private EmbeddedS3 server;

  @BeforeEach
  void start() throws IOException {
    server = EmbeddedS3.builder().bucket("lake").start();
  }

  @AfterEach
  void stop() {
    server.close();
  }

  private S3FileIO open(int retries) {
    Map<String, String> properties =
        Map.of(
            "s3.endpoint",
            server.endpoint().toString(),
            "s3.path-style-access",
            "true",
            "s3.access-key-id",
            "any",
            "s3.secret-access-key",
            "any-secret",
            "client.region",
            "us-east-1",
            "s3.retry.num-retries",
            Integer.toString(retries),
            "s3.client-factory-impl",
            IcebergClientFactory.class.getName(),
            "s3.multipart.part-size-bytes",
            Integer.toString(5 * MIB),
            "s3.multipart.threshold",
            "1.0",
            "penstock.retry.delay.min",
            "1ms");
    S3FileIO io = new S3FileIO();
    io.initialize(properties);
    return io;
  }

  private static void write(S3FileIO io, String file, int size) throws IOException {
    OutputFile output = io.newOutputFile(file);
    try (OutputStream out = output.createOrOverwrite()) {
      out.write(new byte[size]);
    }
  }

  @Test
  void whatFailsIsMadeAgainUnderneath() throws IOException {
    try (S3FileIO io = open(0)) {
      server.weather(
          Weather.CALM.withFaults(
              "PutObject#1-3=503,GetObject#1=500,GetObject#2=truncate,HeadObject#1=503,"
                  + "ListObjectsV2#1=500,DeleteObjects#1=503"));
      write(io, FILE, 100_000);
      assertThat(io.newInputFile(FILE).getLength()).isEqualTo(100_000);
      try (InputStream in = io.newInputFile(FILE).newStream()) {
        assertThat(in.readAllBytes()).hasSize(100_000);
      }
      assertThat(io.listPrefix("s3://lake/table/")).hasSize(1);
      io.deleteFiles(List.of(FILE));
      assertThat(io.newInputFile(FILE).exists()).isFalse();
      assertThat(server.counts().of("PutObject")).isEqualTo(4);
      assertThat(server.counts().of("DeleteObjects")).isEqualTo(2);
    }
  }

  @Test
  void anUploadIsCompletedThoughItsAnswerIsLost() throws IOException {
    try (S3FileIO io = open(2)) {
      server.weather(
          Weather.CALM.withFaults(
              "CreateMultipartUpload#1=503,UploadPart#1=500,CompleteMultipartUpload#1=reset-after"));
      write(io, FILE, 12 * MIB);
      assertThat(io.newInputFile(FILE).getLength()).isEqualTo(12 * MIB);
    }
  }

  /** A new version of Iceberg may do more. */
  @Test
  void everyStepOfIcebergIsTaken() {
    List<String> notForS3 = List.of("applyClientCredentialConfigurations");
    Stream<Method> steps =
        Stream.of(AwsClientProperties.class, HttpClientProperties.class, S3FileIOProperties.class)
            .flatMap(type -> Arrays.stream(type.getMethods()));
    assertThat(steps)
        .filteredOn(
            step ->
                step.getName().startsWith("apply")
                    && IntStream.range(0, step.getParameterCount())
                        .anyMatch(
                            i ->
                                step.getParameterTypes()[i].isAssignableFrom(
                                    S3ClientBuilder.class)))
        .extracting(Method::getName)
        .filteredOn(name -> !notForS3.contains(name))
        .containsOnlyOnce("applySignerConfiguration")
        .isSubsetOf(IcebergClientFactory.STEPS);
  }
}
