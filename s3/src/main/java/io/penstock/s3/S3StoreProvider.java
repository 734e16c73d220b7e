/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.s3;

import io.penstock.core.config.ConfigKey;
import io.penstock.core.config.Settings;
import io.penstock.core.store.ObjectStore;
import io.penstock.core.store.Reach;
import io.penstock.core.store.StoreProvider;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/** Opens stores on Amazon S3 and on what speaks its protocol. */
public final class S3StoreProvider implements StoreProvider {
  @Override
  public List<ConfigKey<?>> keys() {
    return S3Keys.ALL;
  }

  @Override
  public List<String> foreignNames() {
    return Stream.concat(CredentialSettings.FOREIGN.stream(), Encryption.FOREIGN.stream()).toList();
  }

  @Override
  public ObjectStore open(String bucket, Settings settings) {
    S3Options options = S3Options.from(bucket, settings.forBucket(bucket), System::getenv);
    return new S3Store(bucket, options, S3Clients.SHARED);
  }

  @Override
  public Optional<Reach> reach(String bucket, Settings settings) {
    S3Options options = S3Options.from(bucket, settings.forBucket(bucket), System::getenv);
    return Optional.of(new S3Reach(bucket, options));
  }
}
