/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.s3.settings;

import io.penstock.core.credentials.CredentialProvider;
import io.penstock.core.credentials.Credentials;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;
import software.amazon.awssdk.auth.credentials.AwsBasicCredentials;
import software.amazon.awssdk.auth.credentials.AwsCredentials;
import software.amazon.awssdk.auth.credentials.AwsCredentialsProvider;
import software.amazon.awssdk.auth.credentials.AwsSessionCredentials;
import software.amazon.awssdk.utils.SdkAutoCloseable;

/**
 * Lets the SDK in this jar ask a provider of the user's class path. The SDK here has other package
 * names than the user's, so what the user's SDK returns is read by reflection.
 */
final class ForeignProvider implements AwsCredentialsProvider, SdkAutoCloseable {
  private final Object provider;
  private final Supplier<AwsCredentials> answers;

  private ForeignProvider(Object provider, Supplier<AwsCredentials> answers) {
    this.provider = provider;
    this.answers = answers;
  }

  /**
   * @param provider an instance of a class that {@link ProviderClass} accepts
   */
  static AwsCredentialsProvider of(Object provider) {
    if (provider instanceof CredentialProvider own) {
      return new ForeignProvider(provider, () -> own(own));
    }
    Method resolve = publicMethod(provider.getClass(), "resolveCredentials");
    return new ForeignProvider(provider, new Reader(provider, resolve));
  }

  @Override
  public AwsCredentials resolveCredentials() {
    return answers.get();
  }

  private static AwsCredentials own(CredentialProvider provider) {
    try {
      Credentials found = provider.credentials();
      if (found == null) {
        throw new IllegalStateException("it returned null.");
      }
      return credentials(
          found.accessKey(), found.secretKey(), found.sessionToken(), found.expires());
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Asks a provider of another copy of the SDK. Looks its methods up once: each request asks. */
  private static final class Reader implements Supplier<AwsCredentials> {
    private final Object provider;
    private final Method resolve;
    private volatile Members members;

    Reader(Object provider, Method resolve) {
      this.provider = provider;
      this.resolve = resolve;
    }

    @Override
    public AwsCredentials get() {
      Object found = invoke(resolve, provider);
      if (found == null) {
        throw new IllegalStateException("it returned null.");
      }
      Members known = members;
      if (known == null || known.type() != found.getClass()) {
        known = Members.of(found.getClass());
        members = known;
      }
      return credentials(
          (String) value(known.accessKey(), found).orElse(null),
          (String) value(known.secretKey(), found).orElse(null),
          value(known.token(), found).map(String.class::cast),
          value(known.expires(), found).flatMap(ForeignProvider::instant));
    }
  }

  /** The methods of a class of credentials; those that it does not have are null. */
  private record Members(
      Class<?> type, Method accessKey, Method secretKey, Method token, Method expires) {
    static Members of(Class<?> type) {
      return new Members(
          type,
          publicMethod(type, "accessKeyId"),
          publicMethod(type, "secretAccessKey"),
          publicMethod(type, "sessionToken"),
          // Older SDKs do not tell the time of expiry.
          publicMethod(type, "expirationTime"));
    }
  }

  private static Optional<Instant> instant(Object optional) {
    return optional instanceof Optional<?> some ? some.map(Instant.class::cast) : Optional.empty();
  }

  private static AwsCredentials credentials(
      String accessKey, String secretKey, Optional<String> token, Optional<Instant> expires) {
    if (accessKey == null || accessKey.isBlank() || secretKey == null || secretKey.isBlank()) {
      throw new IllegalStateException(
          "it returned credentials without a key. For requests without a signature, set"
              + " penstock.credentials=anonymous.");
    }
    if (token.isEmpty()) {
      return AwsBasicCredentials.create(accessKey, secretKey); // These never expire.
    }
    return AwsSessionCredentials.builder()
        .accessKeyId(accessKey)
        .secretAccessKey(secretKey)
        .sessionToken(token.get())
        .expirationTime(expires.orElse(null))
        .build();
  }

  private static Optional<Object> value(Method method, Object of) {
    return method == null ? Optional.empty() : Optional.ofNullable(invoke(method, of));
  }

  private static Object invoke(Method method, Object on) {
    try {
      return method.invoke(on);
    } catch (InvocationTargetException e) {
      if (e.getCause() instanceof Error error && !(error instanceof LinkageError)) {
        throw error;
      }
      throw new IllegalStateException(e.getCause());
    } catch (IllegalAccessException e) {
      throw new IllegalStateException(e);
    }
  }

  /**
   * Returns a method without parameters as a public class or interface declares it; null if there
   * is none. The class itself is often not public.
   */
  private static Method publicMethod(Class<?> of, String name) {
    Deque<Class<?>> open = new ArrayDeque<>();
    open.add(of);
    while (!open.isEmpty()) {
      Class<?> next = open.remove();
      if (Modifier.isPublic(next.getModifiers())) {
        for (Method method : next.getDeclaredMethods()) {
          if (method.getName().equals(name)
              && method.getParameterCount() == 0
              && Modifier.isPublic(method.getModifiers())
              && !method.isBridge()) {
            return method;
          }
        }
      }
      if (next.getSuperclass() != null) {
        open.add(next.getSuperclass());
      }
      open.addAll(List.of(next.getInterfaces()));
    }
    return null;
  }

  @Override
  public void close() {
    if (provider instanceof AutoCloseable closeable) {
      try {
        closeable.close();
      } catch (Exception e) {
        throw new IllegalStateException(e);
      }
    }
  }
}
