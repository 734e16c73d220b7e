/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.s3;

import java.util.ArrayList;
import java.util.List;
import java.util.function.Supplier;
import software.amazon.awssdk.auth.credentials.AwsCredentials;
import software.amazon.awssdk.auth.credentials.AwsCredentialsProvider;
import software.amazon.awssdk.core.exception.AbortedException;
import software.amazon.awssdk.utils.SdkAutoCloseable;

/**
 * A provider in use, with what it needs closed, and failures that name the source. Providers keep
 * what they have until the time comes that was announced for it; when the store has refused it as
 * expired before that, it can be renewed.
 */
final class OpenCredentials implements AwsCredentialsProvider, SdkAutoCloseable {
  private final String source;
  private final Supplier<AwsCredentialsProvider> factory;
  private final List<SdkAutoCloseable> resources;
  private final List<AwsCredentialsProvider> retired = new ArrayList<>();
  private AwsCredentialsProvider provider;
  private int generation;

  /**
   * @param factory called on first use, and for each renewal
   * @param resources closed after the provider, in order; credentials among them, which the
   *     provider starts from, are renewed before it
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

  /** Another number after each renewal. */
  synchronized int generation() {
    return generation;
  }

  /**
   * Gets credentials anew from where they come from, unless another thread has done so meanwhile.
   * Others wait, rather than ask the source too.
   *
   * @param refused the generation that the store has refused
   * @return whether the credentials are others now
   */
  synchronized boolean renew(int refused) {
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
      return false; // Nothing is gained; the garbage collector takes the second provider.
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
