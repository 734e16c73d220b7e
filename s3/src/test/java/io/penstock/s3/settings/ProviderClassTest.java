/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.s3.settings;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.amazonaws.auth.AWSCredentialsProvider;
import io.penstock.core.config.ConfigException;
import io.penstock.core.config.Settings;
import io.penstock.core.credentials.CredentialProvider;
import io.penstock.core.credentials.Credentials;
import java.io.IOException;
import java.net.URI;
import java.time.Instant;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import software.amazon.awssdk.auth.credentials.AwsBasicCredentials;
import software.amazon.awssdk.auth.credentials.AwsCredentials;
import software.amazon.awssdk.auth.credentials.AwsCredentialsProvider;
import software.amazon.awssdk.auth.credentials.AwsSessionCredentials;

/** Providers of the user's class path, as {@code fs.s3a.aws.credentials.provider} names them. */
class ProviderClassTest {
  private static final String S3A = "fs.s3a.aws.credentials.provider";
  private static final Instant LATER = Instant.parse("2999-01-01T00:00:00Z");

  /** Stands in for Hadoop's configuration, which this module does not know. */
  public record Conf(String user) {}

  /** Is created as S3A's own providers are. */
  public static final class OfBucket implements AwsCredentialsProvider {
    private final URI uri;
    private final Conf conf;

    public OfBucket(URI uri, Conf conf) {
      this.uri = uri;
      this.conf = conf;
    }

    @Override
    public AwsCredentials resolveCredentials() {
      return AwsBasicCredentials.create(conf.user(), uri.toString());
    }
  }

  /** Is created as Unity Catalog's is: the constructor without parameters must not be taken. */
  public static final class OfConf implements AwsCredentialsProvider {
    private final String user;

    public OfConf() {
      this.user = "wrong";
    }

    public OfConf(Conf conf) {
      this.user = conf.user();
    }

    @Override
    public AwsCredentials resolveCredentials() {
      return AwsBasicCredentials.create(user, "secret");
    }
  }

  /** Is created as the SDK's own providers are. */
  public static final class Created implements AwsCredentialsProvider {
    private Created() {}

    public static Created create() {
      return new Created();
    }

    @Override
    public AwsCredentials resolveCredentials() {
      return AwsBasicCredentials.create("created", "secret");
    }
  }

  /** Needs no SDK. */
  public static final class Own implements CredentialProvider, AutoCloseable {
    static boolean isClosed;

    @Override
    public Credentials credentials() {
      return new Credentials("own", "secret", Optional.of("token"), Optional.of(LATER));
    }

    @Override
    public void close() {
      isClosed = true;
    }
  }

  public static final class Failing implements CredentialProvider {
    @Override
    public Credentials credentials() throws IOException {
      throw new IOException("the vault is sealed");
    }
  }

  public static final class WithoutKey implements AwsCredentialsProvider {
    @Override
    public AwsCredentials resolveCredentials() {
      return null;
    }
  }

  public static final class OfVersionOne implements AWSCredentialsProvider {
    @Override
    public void refresh() {}
  }

  /**
   * Stands in for the credentials of another copy of the SDK, whose classes are often not public.
   */
  public interface OtherCredentials {
    String accessKeyId();

    String secretAccessKey();
  }

  private record OtherSession(String accessKeyId, String secretAccessKey)
      implements OtherCredentials, OtherToken {
    @Override
    public String sessionToken() {
      return "other token";
    }

    @Override
    public Optional<Instant> expirationTime() {
      return Optional.of(LATER);
    }
  }

  public interface OtherToken {
    String sessionToken();

    Optional<Instant> expirationTime();
  }

  public interface OtherProvider {
    OtherCredentials resolveCredentials();
  }

  private static CredentialSource named(String setting, String name, Conf conf) {
    Settings settings = Settings.of(Map.of(setting, name));
    return CredentialSettings.from(
        (conf == null ? settings : settings.withOrigin(bucket -> conf)).forBucket("lake"),
        "us-east-1");
  }

  private static AwsCredentials resolve(Class<?> type) {
    try (OpenCredentials open = named(S3A, type.getName(), new Conf("me")).open()) {
      return open.resolveCredentials();
    }
  }

  @Test
  void aProviderIsCreatedAsS3aCreatesIt() {
    assertThat(resolve(OfBucket.class).accessKeyId()).isEqualTo("me");
    assertThat(resolve(OfBucket.class).secretAccessKey()).isEqualTo("s3a://lake");
    assertThat(resolve(OfConf.class).accessKeyId()).isEqualTo("me");
    assertThat(resolve(Created.class).accessKeyId()).isEqualTo("created");
  }

  @Test
  void aProviderNeedsNoSdk() {
    AwsSessionCredentials found = (AwsSessionCredentials) resolve(Own.class);
    assertThat(found.accessKeyId()).isEqualTo("own");
    assertThat(found.sessionToken()).isEqualTo("token");
    assertThat(found.expirationTime()).contains(LATER);
    assertThat(Own.isClosed).isTrue();
  }

  @Test
  void credentialsOfAnotherCopyOfTheSdkAreRead() {
    OtherProvider provider = () -> new OtherSession("id", "secret");
    AwsSessionCredentials found =
        (AwsSessionCredentials) ForeignProvider.of(provider).resolveCredentials();
    assertThat(found.accessKeyId()).isEqualTo("id");
    assertThat(found.secretAccessKey()).isEqualTo("secret");
    assertThat(found.sessionToken()).isEqualTo("other token");
    assertThat(found.expirationTime()).contains(LATER);
  }

  @Test
  void emrfsNamesAProviderToo() {
    assertThat(named("fs.s3.customAWSCredentialsProvider", Own.class.getName(), null).toString())
        .isEqualTo("the class " + Own.class.getName());
  }

  @Test
  void eachConfigurationHasAProviderOfItsOwn() {
    Conf conf = new Conf("me");
    CredentialSource one = named(S3A, OfConf.class.getName(), conf);
    assertThat(named(S3A, OfConf.class.getName(), conf)).isEqualTo(one);
    assertThat(named(S3A, OfConf.class.getName(), new Conf("you"))).isNotEqualTo(one);
  }

  @Test
  void aProviderThatFailsIsNamedWithItsReason() {
    assertThatThrownBy(() -> resolve(Failing.class))
        .isInstanceOf(NoCredentialsException.class)
        .hasMessageContaining("the class " + Failing.class.getName())
        .hasRootCauseMessage("the vault is sealed");
    assertThatThrownBy(() -> resolve(WithoutKey.class)).isInstanceOf(NoCredentialsException.class);
    assertThatThrownBy(() -> named(S3A, OfBucket.class.getName(), null).open().resolveCredentials())
        .isInstanceOf(NoCredentialsException.class)
        .hasRootCauseInstanceOf(NoSuchMethodException.class);
  }

  /** Has a factory that the classes which extend it inherit. */
  public static class Base implements AwsCredentialsProvider {
    public static Base create() {
      return new Base();
    }

    @Override
    public AwsCredentials resolveCredentials() {
      return AwsBasicCredentials.create("base", "secret");
    }
  }

  /** S3A would use the constructor: the factory makes another class. */
  public static final class Sub extends Base {
    @Override
    public AwsCredentials resolveCredentials() {
      return AwsBasicCredentials.create("sub", "secret");
    }
  }

  /** Has a method with a factory's name that creates no provider. */
  public static final class CreatesText implements AwsCredentialsProvider {
    public static String create() {
      return "text";
    }

    @Override
    public AwsCredentials resolveCredentials() {
      return AwsBasicCredentials.create("constructed", "secret");
    }
  }

  public static final class Hidden extends Base {
    private Hidden() {}
  }

  public abstract static class Unfinished implements CredentialProvider {}

  public static final class CreatesNothing implements CredentialProvider {
    private CreatesNothing() {}

    public static CreatesNothing create() {
      return null;
    }

    @Override
    public Credentials credentials() {
      return null;
    }
  }

  public static final class FailsAtOnce implements CredentialProvider {
    static final String SET = String.valueOf(Integer.parseInt("no number"));

    @Override
    public Credentials credentials() {
      return null;
    }
  }

  @Test
  void onlyAFactoryOfItsOwnIsUsed() {
    assertThat(resolve(Sub.class).accessKeyId()).isEqualTo("sub");
    assertThat(resolve(CreatesText.class).accessKeyId()).isEqualTo("constructed");
  }

  @Test
  void whatCannotBeCreatedSaysWhy() {
    Map<Class<?>, String> reasons =
        Map.of(
            Hidden.class, "it has no public constructor with (URI, Configuration)",
            Unfinished.class, "it is an abstract class.",
            CreatesNothing.class, "its create() returned null.");
    reasons.forEach(
        (type, reason) ->
            assertThatThrownBy(() -> resolve(type))
                .isInstanceOf(NoCredentialsException.class)
                .hasCauseInstanceOf(UnusableProviderException.class)
                .cause()
                .hasMessageStartingWith(reason));
    assertRefused(FailsAtOnce.class.getName(), "whose static initialization fails: java.lang.Num");
  }

  @Test
  void whatIsNoProviderIsRefusedByName() {
    assertRefused(OfVersionOne.class.getName(), "made for the AWS SDK v1");
    assertRefused(String.class.getName(), "supplies no credentials");
    assertRefused("com.example.Vault", "not on the class path of this process");
  }

  private static void assertRefused(String name, String words) {
    assertThatThrownBy(() -> named(S3A, name, new Conf("me")))
        .isInstanceOf(ConfigException.class)
        .hasMessageContaining(S3A + " names " + name)
        .hasMessageContaining(words);
  }
}
