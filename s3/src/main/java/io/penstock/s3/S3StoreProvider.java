/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.s3;

import io.penstock.core.config.ConfigKey;
import io.penstock.core.config.Settings;
import io.penstock.core.store.Reach;
import io.penstock.core.store.StoreProvider;
import io.penstock.core.time.Time;
import io.penstock.s3.settings.CredentialSettings;
import io.penstock.s3.settings.Encryption;
import io.penstock.s3.settings.Endpoint;
import io.penstock.s3.settings.Proxy;
import io.penstock.s3.settings.S3Keys;
import io.penstock.s3.settings.S3Options;
import java.util.List;
import java.util.Optional;
import java.util.SplittableRandom;
import java.util.stream.Stream;

/** Opens stores on Amazon S3 and on other stores with the same protocol. */
public final class S3StoreProvider implements StoreProvider {
  @Override
  public List<ConfigKey<?>> keys() {
    return S3Keys.ALL;
  }

  @Override
  public List<String> foreignNames() {
    return Stream.of(
            CredentialSettings.FOREIGN, Encryption.FOREIGN, Endpoint.FOREIGN, Proxy.FOREIGN)
        .flatMap(List::stream)
        .toList();
  }

  @Override
  public Stores stores(Time time, SplittableRandom chance) {
    return new S3Stores(time, chance);
  }

  @Override
  public Optional<Reach> reach(String bucket, Settings settings) {
    S3Options options = S3Options.from(bucket, settings.forBucket(bucket), System::getenv);
    return Optional.of(new S3Reach(bucket, options));
  }
}
