/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.s3.settings;

import io.penstock.core.config.ConfigException;
import io.penstock.core.config.MissingConfigException;
import io.penstock.core.credentials.CredentialProvider;
import java.lang.reflect.Constructor;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.net.URI;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * A class of the user's class path that supplies credentials. It implements {@code
 * AwsCredentialsProvider} of the AWS SDK v2, as S3A's providers do, or Penstock's own {@link
 * CredentialProvider}.
 *
 * <p>Two are equal only if they have the same configuration object, since the credentials may
 * depend on anything in it: each file system that is opened has a provider of its own.
 *
 * @param uri the bucket, as S3A would name it
 * @param configuration the Hadoop configuration of the file system, if there is one
 */
record ProviderClass(Class<?> type, URI uri, Optional<Object> configuration)
    implements CredentialSource {
  // Joined at run time, because the shading of the jar would change the names of packages.
  private static final String SDK_V2 =
      String.join(
          ".", "software", "amazon", "awssdk", "auth", "credentials", "AwsCredentialsProvider");
  private static final String OF_V1 = String.join(".", "com", "amazonaws", "auth", "");
  private static final String SDK_V1 = OF_V1 + "AWSCredentialsProvider";

  /**
   * Loads a class that a setting names.
   *
   * @throws ConfigException when it cannot be loaded, or supplies no credentials of a known kind
   */
  static ProviderClass load(
      String setting, String name, String bucket, Optional<Object> configuration) {
    Class<?> type = find(setting, name);
    if (!CredentialProvider.class.isAssignableFrom(type) && !isKindOf(type, SDK_V2)) {
      throw new ConfigException(
          isKindOf(type, SDK_V1)
              ? ofVersionOne(setting, name)
              : "%s names %s, which supplies no credentials: it implements neither %s nor %s."
                  .formatted(setting, name, SDK_V2, CredentialProvider.class.getName()));
    }
    return new ProviderClass(type, URI.create("s3a://" + bucket), configuration);
  }

  private static Class<?> find(String setting, String name) {
    List<ClassLoader> loaders = new ArrayList<>();
    ClassLoader ofThread = Thread.currentThread().getContextClassLoader();
    if (ofThread != null) {
      loaders.add(ofThread);
    }
    loaders.add(ProviderClass.class.getClassLoader());
    for (ClassLoader loader : loaders) {
      try {
        return Class.forName(name, true, loader);
      } catch (ClassNotFoundException e) {
        // The next loader may find it.
      } catch (ExceptionInInitializerError e) {
        throw new ConfigException(
            "%s names %s, whose static initialization fails: %s"
                .formatted(setting, name, e.getCause()),
            e);
      } catch (LinkageError e) {
        throw new ConfigException(
            ("%s names %s, which cannot be loaded here (%s). If the AWS SDK is missing, add"
                    + " software.amazon.awssdk:bundle to the class path: the SDK in Penstock's jar"
                    + " has other package names.")
                .formatted(setting, name, e),
            e);
      }
    }
    if (name.startsWith(OF_V1)) {
      throw new ConfigException(ofVersionOne(setting, name));
    }
    throw new MissingConfigException(
        ("%s names %s, which is not on the class path of this process. Add its jar, for example"
                + " with --jars; or set penstock.credentials to default, static, anonymous,"
                + " profile, web-identity or assumed-role.")
            .formatted(setting, name));
  }

  private static String ofVersionOne(String setting, String name) {
    return ("%s names %s, which is made for the AWS SDK v1. Penstock, like S3A since Hadoop 3.4,"
            + " needs a class that implements %s of the SDK v2, or %s.")
        .formatted(setting, name, SDK_V2, CredentialProvider.class.getName());
  }

  private static boolean isKindOf(Class<?> type, String name) {
    for (Class<?> next = type; next != null; next = next.getSuperclass()) {
      if (next.getName().equals(name)) {
        return true;
      }
      for (Class<?> one : next.getInterfaces()) {
        if (isKindOf(one, name)) {
          return true;
        }
      }
    }
    return false;
  }

  @Override
  public OpenCredentials open() {
    return new OpenCredentials(toString(), () -> ForeignProvider.of(create()), List.of());
  }

  /** Creates an instance in the order in which S3A tries to. */
  private Object create() {
    try {
      Constructor<?> one = constructor(type, URI.class, configuration);
      if (one != null) {
        return one.newInstance(uri, configuration.orElseThrow());
      }
      one = constructor(type, null, configuration);
      if (one != null) {
        return one.newInstance(configuration.orElseThrow());
      }
      Optional<Method> factory = factory();
      if (factory.isPresent()) {
        Object made = factory.get().invoke(null);
        if (made == null) {
          throw new UnusableProviderException("its create() returned null.", null);
        }
        return made;
      }
      return type.getConstructor().newInstance();
    } catch (InvocationTargetException e) {
      throw new UnusableProviderException("it could not be created: " + e.getCause(), e.getCause());
    } catch (InstantiationException e) {
      throw new UnusableProviderException("it is an abstract class.", e);
    } catch (NoSuchMethodException e) {
      throw new UnusableProviderException(
          "it has no public constructor with (URI, Configuration), (Configuration) or no"
              + " parameters, and no public static method create()"
              + (configuration.isPresent() ? "." : ". This process has no Hadoop configuration."),
          e);
    } catch (ReflectiveOperationException | LinkageError e) {
      throw new UnusableProviderException("it could not be created: " + e, e);
    }
  }

  /** Returns a public constructor that takes the first type, if any, and the configuration. */
  private static Constructor<?> constructor(
      Class<?> type, Class<?> first, Optional<Object> configuration) {
    if (configuration.isEmpty()) {
      return null;
    }
    for (Constructor<?> one : type.getConstructors()) {
      Class<?>[] takes = one.getParameterTypes();
      int last = first == null ? 0 : 1;
      if (takes.length == last + 1
          && (first == null || takes[0] == first)
          && takes[last] != Object.class
          && takes[last].isInstance(configuration.get())) {
        return one;
      }
    }
    return null;
  }

  /** Returns the class's own {@code create()}; one that it inherits makes another class. */
  private Optional<Method> factory() {
    try {
      Method create = type.getDeclaredMethod("create");
      int is = create.getModifiers();
      boolean makesProviders =
          CredentialProvider.class.isAssignableFrom(create.getReturnType())
              || isKindOf(create.getReturnType(), SDK_V2);
      return Modifier.isStatic(is) && Modifier.isPublic(is) && makesProviders
          ? Optional.of(create)
          : Optional.empty();
    } catch (NoSuchMethodException e) {
      return Optional.empty();
    }
  }

  @Override
  public String toString() {
    return "the class " + type.getName();
  }
}
