/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.hadoop;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.penstock.core.config.Settings;
import io.penstock.core.upload.UploadConfig;
import io.penstock.emulator.s3.Credentials;
import io.penstock.emulator.s3.EmbeddedS3;
import io.penstock.s3.settings.S3Keys;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.util.EnumSet;
import java.util.Map;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.CreateFlag;
import org.apache.hadoop.fs.FSDataOutputStream;
import org.apache.hadoop.fs.FileContext;
import org.apache.hadoop.fs.FileStatus;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Options.CreateOpts;
import org.apache.hadoop.fs.Options.Rename;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.security.alias.CredentialProvider;
import org.apache.hadoop.security.alias.CredentialProviderFactory;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class HadoopSettingsTest {
  private static final String PART_SIZE = "fs.s3a.multipart.size";

  private static long partSize(Configuration conf) {
    return UploadConfig.from(HadoopSettings.of(conf).forBucket("lake")).partSizeBytes();
  }

  @Test
  void hadoopsOwnDefaultsSayNothing() {
    Configuration conf = new Configuration();
    assertThat(conf.get(PART_SIZE)).isEqualTo("64M");
    assertThat(HadoopSettings.of(conf).foreign(PART_SIZE)).isEmpty();
    assertThat(partSize(conf)).isEqualTo(33_554_432);
  }

  @Test
  void whatAUserSetsInCodeOrInASiteFileIsRead(@TempDir java.nio.file.Path directory)
      throws IOException {
    Configuration conf = new Configuration();
    conf.set(PART_SIZE, "16M");
    assertThat(partSize(conf)).isEqualTo(16_777_216);

    // Also when it is just what the default is.
    java.nio.file.Path site = directory.resolve("core-site.xml");
    Files.writeString(
        site,
        "<configuration><property><name>fs.s3a.multipart.size</name><value>64M</value>"
            + "</property></configuration>",
        UTF_8);
    Configuration fromFile = new Configuration();
    fromFile.addResource(new Path(site.toUri()));
    assertThat(partSize(fromFile)).isEqualTo(67_108_864);
  }

  @Test
  void aVariableInAValueIsReplaced() {
    Configuration conf = new Configuration(false);
    conf.set("my.size", "16M");
    conf.set("penstock.upload.part.size", "${my.size}");
    assertThat(partSize(conf)).isEqualTo(16_777_216);
  }

  @Test
  void aBucketsOwnSettingCountsForItAlone() throws IOException {
    try (EmbeddedS3 s3 = EmbeddedS3.builder().bucket("lake").bucket("my.pond").start()) {
      Configuration conf =
          EmbeddedFs.conf(
              s3, Map.of("penstock.block.size", "8M", "fs.s3a.bucket.my.pond.block.size", "2M"));
      try (FileSystem lake = FileSystem.newInstance(URI.create("s3://lake"), conf);
          FileSystem pond = FileSystem.newInstance(URI.create("s3://my.pond"), conf)) {
        assertThat(lake.getDefaultBlockSize(new Path("s3://lake/f"))).isEqualTo(8_388_608);
        assertThat(pond.getDefaultBlockSize(new Path("s3://my.pond/f"))).isEqualTo(2_097_152);
        pond.create(new Path("s3://my.pond/f.txt"), true).close();
        assertThat(pond.getFileStatus(new Path("s3://my.pond/f.txt")).getBlockSize())
            .isEqualTo(2_097_152);
      }
    }
  }

  private static void secret(Configuration conf, String name, String value) throws IOException {
    CredentialProvider provider = CredentialProviderFactory.getProviders(conf).get(0);
    provider.createCredentialEntry(name, value.toCharArray());
    provider.flush();
  }

  @Test
  void secretsAreReadFromACredentialFile(@TempDir java.nio.file.Path directory) throws IOException {
    try (EmbeddedS3 s3 =
        EmbeddedS3.builder()
            .bucket("lake")
            .credentials(Credentials.of("file-key", "file-secret"))
            .start()) {
      Configuration conf = EmbeddedFs.conf(s3, Map.of());
      conf.unset("penstock.access.key");
      conf.unset("penstock.secret.key");
      conf.set(
          "hadoop.security.credential.provider.path",
          "localjceks://file" + directory.resolve("keys.jceks"));
      secret(conf, "fs.s3a.access.key", "file-key");
      secret(conf, "penstock.secret.key", "file-secret");

      try (FileSystem fs = FileSystem.newInstance(URI.create("s3://lake"), conf)) {
        fs.create(new Path("s3://lake/f.txt"), true).close();
        assertThat(fs.exists(new Path("s3://lake/f.txt"))).isTrue();
      }
    }
  }

  @Test
  void secretsOfOneBucketAreReadFromACredentialFile(@TempDir java.nio.file.Path directory)
      throws IOException {
    Configuration conf = new Configuration();
    conf.set(
        "hadoop.security.credential.provider.path",
        "localjceks://file" + directory.resolve("keys.jceks"));
    secret(conf, "fs.s3a.bucket.lake.secret.key", "of the lake");
    secret(conf, "fs.s3.awsSecretAccessKey", "of all");
    secret(conf, "somebody.elses.password", "x");

    Settings settings = HadoopSettings.of(conf);

    assertThat(settings.forBucket("lake").get(S3Keys.SECRET_KEY)).contains("of the lake");
    assertThat(settings.forBucket("pond").get(S3Keys.SECRET_KEY)).contains("of all");
    assertThat(settings.foreign("somebody.elses.password")).isEmpty();
  }

  @Test
  void theS3aSchemeIsServedByTheSameClass() throws IOException {
    try (EmbeddedS3 s3 = EmbeddedS3.builder().bucket("lake").start()) {
      Configuration conf =
          EmbeddedFs.conf(s3, Map.of("fs.s3a.impl", PenstockFileSystem.class.getName()));
      try (FileSystem fs = FileSystem.newInstance(URI.create("s3a://lake"), conf)) {
        assertThat(fs).isInstanceOf(PenstockFileSystem.class);
        assertThat(fs.getScheme()).isEqualTo("s3a");
        Path path = new Path("s3a://lake/t/f.txt");
        fs.create(path, true).close();
        FileStatus[] listed = fs.listStatus(new Path("s3a://lake/t"));
        assertThat(listed).hasSize(1);
        assertThat(listed[0].getPath()).isEqualTo(path);
      }
    }
  }

  @Test
  void aMistypedSettingStopsTheStartWithTheOneThatWasMeant() {
    Configuration conf = TestBucket.conf();
    conf.set("penstock.endpont", "x");
    assertThatThrownBy(() -> FileSystem.newInstance(URI.create("s3://lake"), conf))
        .isInstanceOf(IOException.class)
        .hasMessageStartingWith(
            "cannot use s3://lake: penstock.endpont is not a setting of Penstock."
                + " Did you mean penstock.endpoint?");
  }

  @Test
  void aValueThatMakesNoSenseStopsTheStart() {
    Configuration conf = TestBucket.conf();
    conf.set("fs.s3a.multipart.size", "tiny");
    assertThatThrownBy(() -> FileSystem.newInstance(URI.create("s3://lake"), conf))
        .isInstanceOf(IOException.class)
        .hasMessageContaining("fs.s3a.multipart.size='tiny': must be a size such as 8M or 64K");
  }

  /** Half of the secrets of AWS have a slash in them. */
  @ParameterizedTest
  @ValueSource(strings = {"s3://AKIAKEY:hunter2@lake", "s3://AKIAKEY:hunter2/3@lake/x"})
  void credentialsInAUriAreRefusedAndNotRepeated(String uri) {
    Configuration conf = TestBucket.conf();
    assertThatThrownBy(() -> FileSystem.newInstance(URI.create(uri), conf))
        .isInstanceOf(IOException.class)
        .hasMessageContaining("set penstock.access.key and penstock.secret.key")
        .satisfies(
            e -> {
              for (Throwable cause = e; cause != null; cause = cause.getCause()) {
                assertThat(cause.toString()).doesNotContain("hunter2").doesNotContain("AKIAKEY");
              }
            });
  }

  @Test
  void aUriWithoutABucketIsRefused() {
    assertThatThrownBy(() -> FileSystem.newInstance(URI.create("s3:///x"), TestBucket.conf()))
        .isInstanceOf(IOException.class)
        .hasMessageContaining("no bucket in s3:///");
  }

  @Test
  void aFileContextWorksLikeTheFileSystem() throws IOException {
    try (EmbeddedS3 s3 = EmbeddedS3.builder().bucket("lake").start()) {
      FileContext context =
          FileContext.getFileContext(URI.create("s3://lake"), EmbeddedFs.conf(s3, Map.of()));
      Path path = new Path("s3://lake/t/f.txt");
      try (FSDataOutputStream out =
          context.create(path, EnumSet.of(CreateFlag.CREATE), CreateOpts.createParent())) {
        out.write(new byte[5]);
      }
      assertThat(context.getFileStatus(path).getLen()).isEqualTo(5);
      Path moved = new Path("s3://lake/t/g.txt");
      context.rename(path, moved, Rename.NONE);
      assertThat(context.util().exists(path)).isFalse();
      try (var in = context.open(moved)) {
        assertThat(in.readAllBytes()).hasSize(5);
      }
      assertThat(context.delete(moved, false)).isTrue();
    }
  }
}
