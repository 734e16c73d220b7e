/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.s3.settings;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.penstock.core.config.ConfigException;
import io.penstock.core.config.Settings;
import io.penstock.core.store.parts.PartNumbering;
import io.penstock.s3.BucketRegions;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.net.URI;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import software.amazon.awssdk.services.s3.model.ServerSideEncryption;

class S3OptionsTest {
  private static final String SHORT_KEY = "c2hvcnQ=";

  // ---- endpoints

  @Test
  void withoutAnEndpointItIsAmazon() {
    Endpoint endpoint = options(Map.of()).endpoint();
    assertThat(endpoint.aws()).isTrue();
    assertThat(endpoint.override()).isEmpty();
    assertThat(endpoint.pathStyle()).isFalse();
  }

  @Test
  void theCentralNameIsNoOverride() {
    assertThat(endpoint("s3.amazonaws.com").override()).isEmpty();
    assertThat(endpoint("https://s3.amazonaws.com").aws()).isTrue();
  }

  @Test
  void anAmazonHostCarriesItsRegion() {
    assertThat(region("s3.eu-central-1.amazonaws.com")).contains("eu-central-1");
    assertThat(region("https://s3-us-west-2.amazonaws.com")).contains("us-west-2");
    assertThat(region("bucket.vpce-1a2b-3c.s3.us-gov-east-1.vpce.amazonaws.com"))
        .contains("us-gov-east-1");
    assertThat(region("s3.cn-north-1.amazonaws.com.cn")).contains("cn-north-1");
    assertThat(region("minio.example.com")).isEmpty();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {"https://user:pa55@host_1", "ftp://user:pa55@host", "https://user:pa55 w@host"})
  void anEndpointWithAPasswordIsNotRepeated(String text) {
    assertThatThrownBy(() -> endpoint(text))
        .satisfies(
            e -> {
              StringWriter trace = new StringWriter();
              e.printStackTrace(new PrintWriter(trace));
              assertThat(trace.toString()).contains("ndpoint").doesNotContain("pa55");
            });
  }

  @Test
  void anEndpointWithoutSchemeTakesTheTlsSetting() {
    assertThat(endpoint("minio:9000").override()).contains(URI.create("https://minio:9000"));
    assertThat(
            options(
                    Map.of(
                        "fs.s3a.endpoint", "minio:9000",
                        "fs.s3a.connection.ssl.enabled", "false"))
                .endpoint()
                .override())
        .contains(URI.create("http://minio:9000"));
    assertThat(endpoint("http://minio:9000/").override()).contains(URI.create("http://minio:9000"));
  }

  @Test
  void whatHasNoSubDomainsIsAskedInPathStyle() {
    assertThat(endpoint("http://127.0.0.1:9000").pathStyle()).isTrue();
    assertThat(endpoint("http://[::1]:9000").pathStyle()).isTrue();
    assertThat(endpoint("http://localhost:9000").pathStyle()).isTrue();
    assertThat(endpoint("http://minio:9000").pathStyle()).isTrue();
    assertThat(endpoint("https://storage.example.com").pathStyle()).isFalse();
    assertThat(options("my.lake", Map.of()).endpoint().pathStyle()).isTrue();
    assertThat(options(Map.of("fs.s3a.path.style.access", "true")).endpoint().pathStyle()).isTrue();
  }

  @Test
  void bucketsShareAnEndpointsNameAndAmazonHasOneInEachRegion() {
    assertThat(named("http://minio:9000", "eu-west-1"))
        .isEqualTo("http://minio:9000")
        .isEqualTo(named("http://minio:9000", "us-east-1"));
    assertThat(named("s3.amazonaws.com", "eu-west-1")).isEqualTo("Amazon S3 in eu-west-1");
    assertThat(named("s3.amazonaws.com", "us-east-1")).isEqualTo("Amazon S3 in us-east-1");
  }

  private static String named(String endpoint, String region) {
    S3Options options = options(Map.of("penstock.endpoint", endpoint, "penstock.region", region));
    return options.endpoint().shownWith(new BucketRegions().of("lake", options));
  }

  @Test
  void theEnvironmentsEndpointIsNotTakenForAmazon() {
    Endpoint endpoint =
        Endpoint.of(
            "lake",
            Settings.of(Map.of()),
            name -> name.equals("AWS_ENDPOINT_URL") ? "http://minio:9000" : null);
    assertThat(endpoint.aws()).isFalse();
    assertThat(endpoint.override()).contains(URI.create("http://minio:9000"));
  }

  @Test
  void anEndpointThatIsNoneIsRefused() {
    assertRefused(Map.of("penstock.endpoint", "ftp://store"), "penstock.endpoint='ftp://store'");
    assertRefused(Map.of("penstock.endpoint", "http://"), "penstock.endpoint");
    assertRefused(Map.of("penstock.endpoint", "http:/127.0.0.1:9000"), "lacks a slash");
    assertRefused(Map.of("penstock.endpoint", "https://id:secret@store"), "penstock.access.key");
    assertThatThrownBy(() -> endpoint("https://id:hunter2@store"))
        .hasMessageNotContaining("hunter2");
  }

  // ---- regions

  @Test
  void aRegionThatIsSetIsFixed() {
    assertThat(options(Map.of("fs.s3a.endpoint.region", "eu-west-3")).region())
        .contains("eu-west-3");
    assertThat(options(Map.of()).region()).isEmpty();
  }

  @Test
  void theProcessesRegionIsOnlyTheFirstGuess() {
    System.setProperty("aws.region", "ca-central-1");
    try {
      S3Options options = options(Map.of());
      assertThat(options.firstRegion()).isEqualTo("ca-central-1");
      assertThat(options.region()).isEmpty();
    } finally {
      System.clearProperty("aws.region");
    }
  }

  // ---- encryption and other headers

  @Test
  void encryptionOfOtherSystemsIsUnderstood() {
    assertThat(options(Map.of("fs.s3a.encryption.algorithm", "AES256")).encryption().algorithm())
        .contains(ServerSideEncryption.AES256);
    Encryption kms =
        options(
                Map.of(
                    "fs.s3a.server-side-encryption-algorithm", "SSE-KMS",
                    "fs.s3a.server-side-encryption.key", "key-7"))
            .encryption();
    assertThat(kms.algorithm()).contains(ServerSideEncryption.AWS_KMS);
    assertThat(kms.kmsKey()).contains("key-7");
    assertThat(options(Map.of("fs.s3.enableServerSideEncryption", "true")).encryption().algorithm())
        .contains(ServerSideEncryption.AES256);
    assertThat(
            options(
                    Map.of(
                        "fs.s3.enableServerSideEncryption", "true",
                        "fs.s3.serverSideEncryption.kms.keyId", "key-8"))
                .encryption()
                .kmsKey())
        .contains("key-8");
    assertThat(options(Map.of("fs.s3a.encryption.key", "unused")).encryption())
        .isEqualTo(Encryption.NONE);
  }

  @Test
  void encryptionThatCannotBeIsRefused() {
    assertRefused(Map.of("fs.s3a.encryption.algorithm", "CSE-KMS"), "encryption in the client");
    assertRefused(Map.of("fs.s3a.encryption.algorithm", "ROT13"), "ROT13 is not supported");
    assertRefused(Map.of("fs.s3.cse.enabled", "true"), "fs.s3.cse.enabled");
    assertRefused(Map.of("penstock.encryption", "sse-c"), "needs penstock.encryption.key");
    assertRefused(
        Map.of("penstock.encryption", "sse-c", "penstock.encryption.key", SHORT_KEY), "32 bytes");
    assertRefused(Map.of("penstock.encryption", "sse-c", "penstock.encryption.key", "?"), "Base64");
    assertRefused(
        Map.of("penstock.encryption", "sse-s3", "penstock.encryption.key", "key"), "own key");
    assertRefused(Map.of("penstock.encryption.key", "key"), "penstock.encryption is none");
  }

  @Test
  void checksumsAreWhatTheStoreKnowsUnlessChosen() {
    assertThat(options(Map.of()).checksum()).isEqualTo(S3Keys.Checksum.CRC32C);
    assertThat(options(Map.of("penstock.endpoint", "https://minio:9000")).checksum())
        .isEqualTo(S3Keys.Checksum.AUTO);
    // Over http the signature has a SHA-256 of the body, if there is a signature.
    assertThat(options(Map.of("penstock.endpoint", "http://minio:9000")).checksum())
        .isEqualTo(S3Keys.Checksum.NONE);
    assertThat(
            options(
                    Map.of(
                        "penstock.endpoint",
                        "http://minio:9000",
                        "penstock.credentials",
                        "anonymous"))
                .checksum())
        .isEqualTo(S3Keys.Checksum.AUTO);
    assertThat(
            options(
                    Map.of(
                        "penstock.endpoint",
                        "http://minio:9000",
                        "fs.s3a.aws.credentials.provider",
                        "org.apache.hadoop.fs.s3a.auth.EnvironmentVariableCredentialsProvider,"
                            + "org.apache.hadoop.fs.s3a.AnonymousAWSCredentialsProvider"))
                .checksum())
        .as("a chain that may end without credentials")
        .isEqualTo(S3Keys.Checksum.AUTO);
    assertThat(
            options(Map.of("penstock.endpoint", "http://minio:9000", "penstock.checksum", "crc32c"))
                .checksum())
        .isEqualTo(S3Keys.Checksum.CRC32C);
  }

  @Test
  void namesThatS3DoesNotKnowAreRefused() {
    assertRefused(Map.of("penstock.storage.class", "freezer"), "penstock.storage.class=freezer");
    assertRefused(Map.of("penstock.acl", "everybody"), "penstock.acl=everybody");
    assertRefused(Map.of("penstock.user.agent", "a\nb"), "penstock.user.agent");
  }

  @Test
  void equalSettingsMakeEqualKeysSoThatAClientIsShared() {
    Map<String, String> settings =
        Map.of("penstock.access.key", "id", "penstock.secret.key", "secret");
    assertThat(options(settings).credentials()).isEqualTo(options(settings).credentials());
    assertThat(options(settings).endpoint()).isEqualTo(options("other", settings).endpoint());
    assertThat(options(settings).toString()).doesNotContain("secret,", "=secret");
  }

  // ---- helpers

  @ParameterizedTest
  @CsvSource({
    "https://0123abc.r2.cloudflarestorage.com, UNIFORM",
    "https://0123abc.eu.r2.cloudflarestorage.com, UNIFORM",
    "https://s3.fr-par.scw.cloud, CONSECUTIVE",
    "https://s3.eu-west-1.amazonaws.com, CONSECUTIVE",
    "https://minio.example.org:9000, SPACED"
  })
  void theNumberingOfPartsSuitsTheStore(String endpoint, PartNumbering expected) {
    assertThat(options(Map.of("penstock.endpoint", endpoint)).partNumbering()).isEqualTo(expected);
  }

  private static S3Options options(Map<String, String> settings) {
    return options("lake", settings);
  }

  private static S3Options options(String bucket, Map<String, String> settings) {
    return S3Options.from(bucket, Settings.of(settings).forBucket(bucket), name -> null);
  }

  private static Endpoint endpoint(String text) {
    return options(Map.of("penstock.endpoint", text)).endpoint();
  }

  private static Optional<String> region(String endpoint) {
    return options(Map.of("penstock.endpoint", endpoint)).region();
  }

  private static void assertRefused(Map<String, String> settings, String words) {
    assertThatThrownBy(() -> options(settings))
        .isInstanceOf(ConfigException.class)
        .hasMessageContaining(words);
  }
}
