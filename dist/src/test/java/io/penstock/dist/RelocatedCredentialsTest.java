/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.dist;

import static org.assertj.core.api.Assertions.assertThat;

import java.lang.reflect.Method;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Path;
import java.time.Instant;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import software.amazon.awssdk.auth.credentials.AwsCredentials;
import software.amazon.awssdk.auth.credentials.AwsCredentialsProvider;
import software.amazon.awssdk.auth.credentials.AwsSessionCredentials;

/**
 * A provider that a user compiled against the AWS SDK serves the SDK inside the jar, whose packages
 * have other names.
 */
class RelocatedCredentialsTest {
  private static final Path JAR = Path.of("target/penstock-spark.jar");
  private static final Instant LATER = Instant.parse("2999-01-01T00:00:00Z");

  /** A user's provider. */
  public static final class Vault implements AwsCredentialsProvider {
    @Override
    public AwsCredentials resolveCredentials() {
      return AwsSessionCredentials.builder()
          .accessKeyId("id")
          .secretAccessKey("secret")
          .sessionToken("token")
          .expirationTime(LATER)
          .build();
    }
  }

  /** Has the plain SDK and this class, but of Penstock nothing else. */
  private static final class WithoutPenstock extends ClassLoader {
    WithoutPenstock(ClassLoader parent) {
      super(parent);
    }

    @Override
    protected Class<?> loadClass(String name, boolean resolve) throws ClassNotFoundException {
      if (name.startsWith("io.penstock.") && !name.startsWith("io.penstock.dist.")) {
        throw new ClassNotFoundException(name);
      }
      return super.loadClass(name, resolve);
    }
  }

  @Test
  void aProviderOfThePlainSdkServesTheRelocatedOne() throws Exception {
    ClassLoader before = Thread.currentThread().getContextClassLoader();
    try (URLClassLoader jar =
        new URLClassLoader(
            new URL[] {JAR.toUri().toURL()},
            new WithoutPenstock(RelocatedCredentialsTest.class.getClassLoader()))) {
      Thread.currentThread().setContextClassLoader(jar);
      Object credentials = resolved(jar);
      assertThat(credentials).isNotInstanceOf(AwsCredentials.class);
      assertThat(get(credentials, "accessKeyId")).isEqualTo("id");
      assertThat(get(credentials, "secretAccessKey")).isEqualTo("secret");
      assertThat(get(credentials, "sessionToken")).isEqualTo("token");
      assertThat(get(credentials, "expirationTime")).isEqualTo(Optional.of(LATER));
    } finally {
      Thread.currentThread().setContextClassLoader(before);
    }
  }

  private static Object resolved(ClassLoader jar) throws Exception {
    Class<?> settings = jar.loadClass("io.penstock.core.config.Settings");
    Object all =
        settings
            .getMethod("of", Map.class)
            .invoke(null, Map.of("fs.s3a.aws.credentials.provider", Vault.class.getName()));
    Object ofBucket = settings.getMethod("forBucket", String.class).invoke(all, "lake");
    Object source =
        jar.loadClass("io.penstock.s3.settings.CredentialSettings")
            .getMethod("from", settings, String.class)
            .invoke(null, ofBucket, "us-east-1");
    Method open = jar.loadClass("io.penstock.s3.settings.CredentialSource").getMethod("open");
    return get(open.invoke(source), "resolveCredentials");
  }

  private static Object get(Object from, String name) throws Exception {
    return from.getClass().getMethod(name).invoke(from);
  }
}
