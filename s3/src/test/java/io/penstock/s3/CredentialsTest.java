/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.s3;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.penstock.core.config.ConfigException;
import io.penstock.core.config.Settings;
import io.penstock.s3.RecordingServer.Answer;
import io.penstock.s3.settings.CredentialSettings;
import io.penstock.s3.settings.CredentialSource;
import io.penstock.s3.settings.CredentialSource.AssumedRole;
import io.penstock.s3.settings.CredentialSource.Chain;
import io.penstock.s3.settings.CredentialSource.DefaultChain;
import io.penstock.s3.settings.CredentialSource.Plain;
import io.penstock.s3.settings.CredentialSource.Profile;
import io.penstock.s3.settings.CredentialSource.StaticKeys;
import io.penstock.s3.settings.CredentialSource.WebIdentity;
import io.penstock.s3.settings.NoCredentialsException;
import io.penstock.s3.settings.OpenCredentials;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import software.amazon.awssdk.auth.credentials.AwsCredentials;
import software.amazon.awssdk.auth.credentials.AwsSessionCredentials;

class CredentialsTest {
  private static final String S3A = "org.apache.hadoop.fs.s3a.";
  private static final String STS_ANSWER =
      """
      <%1$sResponse xmlns="https://sts.amazonaws.com/doc/2011-06-15/"><%1$sResult><Credentials>
      <AccessKeyId>role-id</AccessKeyId><SecretAccessKey>role-secret</SecretAccessKey>
      <SessionToken>role-token</SessionToken><Expiration>2999-01-01T00:00:00Z</Expiration>
      </Credentials></%1$sResult></%1$sResponse>\
      """;

  @Test
  void withoutSettingsItIsTheDefaultChain() {
    assertThat(source(Map.of())).isEqualTo(new DefaultChain(Optional.empty()));
  }

  @Test
  void keysAreTakenWhereverTheyAreWritten() {
    StaticKeys keys = keys(Optional.empty());
    assertThat(
            CredentialSettings.from(
                    Settings.of(Map.of("fs.s3a.access.key", "id", "penstock.secret.key", "secret"))
                        .forBucket("lake"),
                    "us-east-1")
                .toString())
        .isEqualTo("fs.s3a.access.key, penstock.secret.key");
    assertThat(source(Map.of("penstock.access.key", "id", "penstock.secret.key", "secret")))
        .isEqualTo(keys);
    assertThat(source(Map.of("fs.s3a.access.key", "id", "fs.s3a.secret.key", "secret")))
        .isEqualTo(keys);
    assertThat(source(Map.of("fs.s3.awsAccessKeyId", "id", "fs.s3.awsSecretAccessKey", "secret")))
        .isEqualTo(keys);
    assertThat(
            source(
                Map.of(
                    "fs.s3a.bucket.lake.access.key", "id",
                    "fs.s3a.bucket.lake.secret.key", "secret",
                    "fs.s3a.access.key", "other")))
        .isEqualTo(keys);
  }

  @Test
  void staticCredentialsResolve() {
    AwsCredentials plain =
        resolve(Map.of("penstock.access.key", "id", "penstock.secret.key", "secret"));
    assertThat(plain.accessKeyId()).isEqualTo("id");
    AwsCredentials session =
        resolve(
            Map.of(
                "penstock.access.key", "id",
                "penstock.secret.key", "secret",
                "penstock.session.token", "token"));
    assertThat(((AwsSessionCredentials) session).sessionToken()).isEqualTo("token");
  }

  @Test
  void anEmptyKeyOfABucketIsNamed() {
    Settings settings =
        Settings.of(
                Map.of(
                    "fs.s3a.access.key", "id",
                    "fs.s3a.secret.key", "secret",
                    "fs.s3a.bucket.lake.access.key", ""))
            .forBucket("lake");
    assertThatThrownBy(() -> CredentialSettings.from(settings, "us-east-1"))
        .isInstanceOf(ConfigException.class)
        .hasMessageContaining("fs.s3a.bucket.lake.access.key is empty");
  }

  @Test
  void aKeyWithoutItsOtherHalfIsRefused() {
    assertRefused(Map.of("penstock.access.key", "id"), "penstock.secret.key is not set");
    assertRefused(Map.of("penstock.secret.key", "secret"), "penstock.access.key is not set");
    assertRefused(Map.of("penstock.session.token", "token"), "penstock.access.key is not set");
    assertRefused(Map.of("penstock.credentials", "profile"), "penstock.profile is not set");
    assertRefused(Map.of("penstock.credentials", "assumed-role"), "penstock.role.arn is not set");
  }

  @Test
  void classesOfS3aAreUnderstood() {
    assertThat(named(S3A + "AnonymousAWSCredentialsProvider")).isEqualTo(Plain.ANONYMOUS);
    assertThat(named("com.amazonaws.auth.EnvironmentVariableCredentialsProvider"))
        .isEqualTo(Plain.ENVIRONMENT);
    assertThat(
            named("software.amazon.awssdk.auth.credentials.EnvironmentVariableCredentialsProvider"))
        .isEqualTo(Plain.ENVIRONMENT);
    assertThat(named(S3A + "auth.IAMInstanceCredentialsProvider"))
        .isEqualTo(new Chain(List.of(Plain.CONTAINER, Plain.INSTANCE)));
    assertThat(named("com.amazonaws.auth.profile.ProfileCredentialsProvider"))
        .isEqualTo(new Profile("default"));
    assertThat(named(S3A + "auth.ProfileAWSCredentialsProvider")).isEqualTo(new Profile("default"));
    assertThat(named("com.amazonaws.auth.WebIdentityTokenCredentialsProvider"))
        .isInstanceOf(WebIdentity.class);
    assertThat(
            named(
                "software.amazon.awssdk.auth.credentials.WebIdentityTokenFileCredentialsProvider"))
        .isInstanceOf(WebIdentity.class);
    assertThat(named("com.amazonaws.auth.DefaultAWSCredentialsProviderChain"))
        .isInstanceOf(DefaultChain.class);
    assertThat(named("software.amazon.awssdk.auth.credentials.DefaultCredentialsProvider"))
        .isInstanceOf(DefaultChain.class);
  }

  @Test
  void keysOfS3aGoToTheClassThatReadsThem() {
    Map<String, String> keys = new HashMap<>();
    keys.put("fs.s3a.access.key", "id");
    keys.put("fs.s3a.secret.key", "secret");
    keys.put("fs.s3a.session.token", "token");
    keys.put("fs.s3a.aws.credentials.provider", S3A + "SimpleAWSCredentialsProvider");
    assertThat(source(keys)).isEqualTo(keys(Optional.empty()));
    keys.put("fs.s3a.aws.credentials.provider", S3A + "TemporaryAWSCredentialsProvider");
    assertThat(source(keys)).isEqualTo(keys(Optional.of("token")));
    keys.put("fs.s3a.aws.credentials.provider", S3A + "AnonymousAWSCredentialsProvider");
    assertThat(source(keys)).isEqualTo(Plain.ANONYMOUS);
  }

  @Test
  void aListOfClassesIsAChainWithoutThoseThatHaveNothing() {
    String list =
        S3A
            + "TemporaryAWSCredentialsProvider,\n "
            + S3A
            + "SimpleAWSCredentialsProvider,"
            + " com.amazonaws.auth.EnvironmentVariableCredentialsProvider";
    assertThat(named(list)).isEqualTo(Plain.ENVIRONMENT);
  }

  @Test
  void anUnknownClassIsNamed() {
    assertRefused(
        Map.of("fs.s3a.aws.credentials.provider", "com.acme.Vault"),
        "fs.s3a.aws.credentials.provider names com.acme.Vault, which is not on the class path");
    assertRefused(
        Map.of("fs.s3a.aws.credentials.provider", S3A + "SimpleAWSCredentialsProvider"),
        "needs fs.s3a.access.key");
    assertRefused(
        Map.of(
            "fs.s3a.aws.credentials.provider",
            S3A + "TemporaryAWSCredentialsProvider",
            "fs.s3a.access.key",
            "id",
            "fs.s3a.secret.key",
            "secret"),
        "needs fs.s3a.access.key, fs.s3a.secret.key and fs.s3a.session.token, and not all");
    assertRefused(
        Map.of("fs.s3a.aws.credentials.provider", "com.amazonaws.auth.STSAssumeRoleProvider"),
        "made for the AWS SDK v1");
    assertRefused(
        Map.of("fs.s3a.aws.credentials.provider", S3A + "auth.AssumedRoleCredentialProvider"),
        "penstock.role.arn is not set, nor is fs.s3a.assumed.role.arn, and an assumed role needs"
            + " it.");
  }

  @Test
  void ourOwnKeysGoBeforeS3asClasses() {
    assertThat(
            source(
                Map.of(
                    "penstock.access.key", "id",
                    "penstock.secret.key", "secret",
                    "fs.s3a.aws.credentials.provider", "com.acme.Vault")))
        .isInstanceOf(StaticKeys.class);
  }

  @Test
  void aRoleIsAssumedWithWhatIsSetBesides() throws IOException {
    try (RecordingServer sts =
            RecordingServer.answering(r -> Answer.ok(STS_ANSWER.formatted("AssumeRole")));
        OpenCredentials open =
            source(
                    Map.of(
                        "penstock.access.key", "id",
                        "penstock.secret.key", "secret",
                        "penstock.role.arn", "arn:aws:iam::1:role/etl",
                        "penstock.role.session", "nightly",
                        "penstock.role.external.id", "tenant-7",
                        "penstock.role.duration", "1h",
                        "penstock.role.sts.endpoint", sts.http()))
                .open()) {
      AwsSessionCredentials role = (AwsSessionCredentials) open.resolveCredentials();

      assertThat(role.accessKeyId()).isEqualTo("role-id");
      assertThat(role.sessionToken()).isEqualTo("role-token");
      assertThat(sts.last().body())
          .contains("Action=AssumeRole")
          .contains("RoleSessionName=nightly")
          .contains("ExternalId=tenant-7")
          .contains("DurationSeconds=3600")
          .contains("role%2Fetl");
      assertThat(sts.last().header("Authorization")).contains("Credential=id/");
    }
  }

  @Test
  void s3asRoleProviderUsesItsOwnBaseCredentials() {
    CredentialSource role =
        source(
            Map.of(
                "fs.s3a.aws.credentials.provider", S3A + "auth.AssumedRoleCredentialProvider",
                "fs.s3a.assumed.role.arn", "arn:aws:iam::1:role/etl",
                "fs.s3a.assumed.role.credentials.provider",
                    "com.amazonaws.auth.EnvironmentVariableCredentialsProvider"));
    assertThat(role)
        .isInstanceOfSatisfying(
            AssumedRole.class, r -> assertThat(r.base()).isEqualTo(Plain.ENVIRONMENT));
  }

  @Test
  void aTokenFileBecomesARole(@TempDir Path directory) throws IOException {
    Path token = Files.writeString(directory.resolve("token"), "a-jwt");
    System.setProperty("aws.webIdentityTokenFile", token.toString());
    System.setProperty("aws.roleArn", "arn:aws:iam::1:role/pod");
    try (RecordingServer sts =
            RecordingServer.answering(
                r -> Answer.ok(STS_ANSWER.formatted("AssumeRoleWithWebIdentity")));
        OpenCredentials open =
            source(
                    Map.of(
                        "penstock.credentials",
                        "web-identity",
                        "penstock.role.sts.endpoint",
                        sts.http()))
                .open()) {
      assertThat(open.resolveCredentials().accessKeyId()).isEqualTo("role-id");
      assertThat(sts.last().body()).contains("WebIdentityToken=a-jwt").contains("role%2Fpod");
    } finally {
      System.clearProperty("aws.webIdentityTokenFile");
      System.clearProperty("aws.roleArn");
    }
  }

  @Test
  void aProfileIsReadFromTheFiles(@TempDir Path directory) throws IOException {
    Path file =
        Files.writeString(
            directory.resolve("credentials"),
            "[etl]\naws_access_key_id=profile-id\naws_secret_access_key=profile-secret\n");
    System.setProperty("aws.sharedCredentialsFile", file.toString());
    try {
      assertThat(resolve(Map.of("penstock.profile", "etl")).accessKeyId()).isEqualTo("profile-id");
      assertThatThrownBy(() -> resolve(Map.of("penstock.profile", "missing")))
          .isInstanceOf(NoCredentialsException.class)
          .hasMessageContaining("the profile missing");
    } finally {
      System.clearProperty("aws.sharedCredentialsFile");
    }
  }

  @Test
  void aSourceShowsNoSecret() {
    assertThat(
            source(
                    Map.of(
                        "penstock.access.key", "the-id",
                        "penstock.secret.key", "the-secret",
                        "penstock.session.token", "the-token",
                        "penstock.role.arn", "arn:aws:iam::1:role/etl"))
                .toString())
        .doesNotContain("the-id", "the-secret", "the-token")
        .contains("arn:aws:iam::1:role/etl");
  }

  // ---- helpers

  private static CredentialSource named(String classes) {
    return source(Map.of("fs.s3a.aws.credentials.provider", classes));
  }

  private static CredentialSource source(Map<String, String> settings) {
    return CredentialSettings.from(Settings.of(settings).forBucket("lake"), "us-east-1");
  }

  private static StaticKeys keys(Optional<String> sessionToken) {
    return new StaticKeys("id", "secret", sessionToken, List.of());
  }

  private static AwsCredentials resolve(Map<String, String> settings) {
    try (OpenCredentials open = source(settings).open()) {
      return open.resolveCredentials();
    }
  }

  private static void assertRefused(Map<String, String> settings, String words) {
    assertThatThrownBy(() -> source(settings))
        .isInstanceOf(ConfigException.class)
        .hasMessageContaining(words);
  }
}
