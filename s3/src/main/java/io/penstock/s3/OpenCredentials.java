/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.s3;

import java.util.List;
import java.util.function.Supplier;
import software.amazon.awssdk.auth.credentials.AwsCredentials;
import software.amazon.awssdk.auth.credentials.AwsCredentialsProvider;
import software.amazon.awssdk.core.exception.AbortedException;
import software.amazon.awssdk.utils.SdkAutoCloseable;

/** A provider in use, with what it needs closed, and failures that name the source. */
final class OpenCredentials implements AwsCredentialsProvider, SdkAutoCloseable {
  private final String source;
  private final Supplier<AwsCredentialsProvider> factory;
  private final List<SdkAutoCloseable> resources;
  private AwsCredentialsProvider provider;

  OpenCredentials(String source, AwsCredentialsProvider provider) {
    this(source, () -> provider, List.of());
  }

  /**
   * @param factory called once, on first use
   * @param resources closed after the provider, in order
   */
  OpenCredentials(
      String source, Supplier<AwsCredentialsProvider> factory, List<SdkAutoCloseable> resources) {
    this.source = source;
    this.factory = factory;
    this.resources = resources;
  }

  @Override
  public AwsCredentials resolveCredentials() {
    try {
      return provider().resolveCredentials();
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

  @Override
  public synchronized void close() {
    if (provider instanceof SdkAutoCloseable closeable) {
      closeable.close();
    }
    resources.forEach(SdkAutoCloseable::close);
  }
}
