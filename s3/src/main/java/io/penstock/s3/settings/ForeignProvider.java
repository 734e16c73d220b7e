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
  private final Method resolve;

  private ForeignProvider(Object provider, Method resolve) {
    this.provider = provider;
    this.resolve = resolve;
  }

  /**
   * @param provider an instance of a class that {@link ProviderClass} accepts
   */
  static AwsCredentialsProvider of(Object provider) {
    return new ForeignProvider(
        provider,
        provider instanceof CredentialProvider
            ? null
            : publicMethod(provider.getClass(), "resolveCredentials"));
  }

  @Override
  public AwsCredentials resolveCredentials() {
    return resolve == null ? own((CredentialProvider) provider) : read(invoke(resolve, provider));
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

  private static AwsCredentials read(Object found) {
    if (found == null) {
      throw new IllegalStateException("it returned null.");
    }
    return credentials(
        (String) get(found, "accessKeyId").orElse(null),
        (String) get(found, "secretAccessKey").orElse(null),
        get(found, "sessionToken").map(String.class::cast),
        // Older SDKs do not tell the time of expiry.
        get(found, "expirationTime").flatMap(ForeignProvider::instant));
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

  /** Returns the value; empty if the object has no such method, or it returns null. */
  private static Optional<Object> get(Object from, String name) {
    Method method = publicMethod(from.getClass(), name);
    return method == null ? Optional.empty() : Optional.ofNullable(invoke(method, from));
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
