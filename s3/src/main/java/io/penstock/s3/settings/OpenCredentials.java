/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.s3.settings;

import java.util.ArrayList;
import java.util.List;
import java.util.function.Supplier;
import software.amazon.awssdk.auth.credentials.AwsCredentials;
import software.amazon.awssdk.auth.credentials.AwsCredentialsProvider;
import software.amazon.awssdk.core.exception.AbortedException;
import software.amazon.awssdk.utils.SdkAutoCloseable;

/**
 * A credentials provider in use. It closes the provider's resources, and its failures name the
 * source. Providers keep their credentials until the announced time of expiry. If the store refuses
 * them as expired earlier, they can be renewed.
 */
public final class OpenCredentials implements AwsCredentialsProvider, SdkAutoCloseable {
  private final String source;
  private final Supplier<AwsCredentialsProvider> factory;
  private final List<SdkAutoCloseable> resources;
  private final List<AwsCredentialsProvider> retired = new ArrayList<>();
  private AwsCredentialsProvider provider;
  private int generation;

  /**
   * @param factory called on first use, and for each renewal
   * @param resources closed after the provider, in order; if they include credentials, which the
   *     provider starts from, these are renewed before the provider
   */
  OpenCredentials(
      String source, Supplier<AwsCredentialsProvider> factory, List<SdkAutoCloseable> resources) {
    this.source = source;
    this.factory = factory;
    this.resources = resources;
  }

  @Override
  public AwsCredentials resolveCredentials() {
    return resolve(this::provider);
  }

  private AwsCredentials resolve(Supplier<AwsCredentialsProvider> from) {
    try {
      return from.get().resolveCredentials();
    } catch (AbortedException | NoCredentialsException e) {
      throw e;
    } catch (RuntimeException e) {
      throw new NoCredentialsException(source, e);
    }
  }

  private synchronized AwsCredentialsProvider provider() {
    if (provider == null) {
      provider = factory.get();
    }
    return provider;
  }

  /** Returns a number that changes with each renewal. */
  public synchronized int generation() {
    return generation;
  }

  /**
   * Gets new credentials from the source, unless another thread has already done so. Other threads
   * wait meanwhile, so that they do not ask the source too.
   *
   * @param refused the generation that the store has refused
   * @return true if the credentials have changed
   */
  public synchronized boolean renew(int refused) {
    if (generation != refused) {
      return true;
    }
    AwsCredentials before = resolveCredentials();
    for (SdkAutoCloseable resource : resources) {
      if (resource instanceof OpenCredentials own) {
        own.renew(own.generation());
      }
    }
    AwsCredentialsProvider fresh = fresh();
    AwsCredentials after = resolve(() -> fresh);
    if (after.equals(before)) {
      return false; // Same credentials: the second provider is left to the garbage collector.
    }
    retired.add(provider); // Other threads may be using it.
    provider = fresh;
    generation++;
    return true;
  }

  private AwsCredentialsProvider fresh() {
    try {
      return factory.get();
    } catch (RuntimeException e) {
      throw new NoCredentialsException(source, e);
    }
  }

  @Override
  public synchronized void close() {
    retired.forEach(OpenCredentials::closeOne);
    closeOne(provider);
    resources.forEach(SdkAutoCloseable::close);
  }

  private static void closeOne(AwsCredentialsProvider provider) {
    if (provider instanceof SdkAutoCloseable closeable) {
      closeable.close();
    }
  }
}
