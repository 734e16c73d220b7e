/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.sdk;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.penstock.emulator.s3.EmbeddedS3;
import io.penstock.emulator.weather.Weather;
import java.io.IOException;
import java.net.URI;
import java.time.Duration;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FSDataInputStream;
import org.apache.hadoop.fs.FSDataOutputStream;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.fs.s3a.AnonymousAWSCredentialsProvider;
import org.apache.hadoop.fs.s3a.S3ClientFactory;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import software.amazon.awssdk.services.s3.S3Client;

/** S3A itself, which repeats nothing, with the engine under it. */
class S3AClientFactoryTest {
  private static final Path FILE = new Path("s3a://lake/table/part-0.bin");

  private EmbeddedS3 server;

  @BeforeEach
  void start() throws IOException {
    server = EmbeddedS3.builder().bucket("lake").start();
  }

  @AfterEach
  void stop() {
    server.close();
  }

  private FileSystem open(String factory) throws IOException {
    Configuration conf = new Configuration();
    conf.set("fs.s3a.impl", "org.apache.hadoop.fs.s3a.S3AFileSystem");
    conf.set("fs.s3a.endpoint", server.endpoint().toString());
    conf.set("fs.s3a.endpoint.region", "us-east-1");
    conf.set("fs.s3a.path.style.access", "true");
    conf.set("fs.s3a.access.key", "any");
    conf.set("fs.s3a.secret.key", "any-secret");
    conf.set("fs.s3a.attempts.maximum", "1");
    conf.set("fs.s3a.retry.limit", "0");
    conf.set("fs.s3a.retry.throttle.limit", "0");
    conf.set("fs.s3a.input.stream.type", "classic");
    conf.set("penstock.retry.delay.min", "1ms");
    if (!factory.isEmpty()) {
      conf.set("fs.s3a.s3.client.factory.impl", factory);
    }
    return FileSystem.newInstance(URI.create("s3a://lake"), conf);
  }

  private static void write(FileSystem fs, int size) throws IOException {
    try (FSDataOutputStream out = fs.create(FILE, true)) {
      out.write(new byte[size]);
    }
  }

  @Test
  void whatFailsIsMadeAgainUnderneath() throws IOException {
    try (FileSystem fs = open(S3AClientFactory.class.getName())) {
      server.weather(
          Weather.CALM.withFaults(
              "PutObject#1-3=503,GetObject#1=500,GetObject#2=truncate,HeadObject@0.3=503,"
                  + "ListObjectsV2@0.3=500"));
      write(fs, 100_000);
      try (FSDataInputStream in = fs.open(FILE)) {
        assertThat(in.readAllBytes()).hasSize(100_000);
      }
      assertThat(fs.listStatus(FILE.getParent())).hasSize(1);
      assertThat(server.counts().of("PutObject")).isEqualTo(4);
      assertThat(server.counts().of("GetObject")).isEqualTo(3);
    }
  }

  @Test
  void aCallHasTheTimeOfItsWaits() throws IOException {
    Configuration conf = new Configuration(false);
    conf.set("fs.s3a.connection.request.timeout", "60s");
    S3AClientFactory factory = new S3AClientFactory();
    factory.setConf(conf);
    S3ClientFactory.S3ClientCreationParameters parameters =
        new S3ClientFactory.S3ClientCreationParameters()
            .withRegion("us-east-1")
            .withCredentialSet(new AnonymousAWSCredentialsProvider());
    try (S3Client client = factory.createS3Client(URI.create("s3a://lake"), parameters)) {
      assertThat(client.serviceClientConfiguration().overrideConfiguration().apiCallTimeout())
          .contains(Duration.ofMinutes(14));
    }
  }

  @Test
  void withoutTheFactoryItFails() throws IOException {
    try (FileSystem fs = open("")) {
      server.weather(Weather.CALM.withFaults("PutObject#1-3=503"));
      assertThatThrownBy(() -> write(fs, 100_000)).isInstanceOf(IOException.class);
    }
  }
}
