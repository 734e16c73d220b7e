/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.doctor.spark;

import io.penstock.core.config.ConfigKey;
import io.penstock.core.config.MeantName;
import io.penstock.core.config.Settings;
import io.penstock.core.stack.StoreStack;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.stream.Stream;

/**
 * What Penstock itself says of settings.
 *
 * @param keys the settings that it knows
 * @param withoutEffect returns the settings of S3A and EMRFS that are set and that Penstock ignores
 * @param refuseUnusable fails with a {@code ConfigException} if Penstock would not start with the
 *     settings, each of which is valid
 */
public record PenstockView(
    List<ConfigKey<?>> keys,
    Function<Settings, List<String>> withoutEffect,
    Consumer<Settings> refuseUnusable) {

  /** Returns the view of the Penstock that the loader finds. */
  public static PenstockView of(ClassLoader loader) {
    return new PenstockView(
        StoreStack.keys(loader),
        settings -> StoreStack.withoutEffect(settings, loader),
        settings -> {
          try {
            StoreStack.refuseUnusable(settings, loader);
          } catch (IOException e) {
            throw new UncheckedIOException(e);
          }
        });
  }

  /** Returns the setting that a mistyped name is meant to be, of Penstock, S3A or EMRFS. */
  public Optional<String> meant(String name) {
    List<String> known =
        keys.stream()
            .flatMap(key -> Stream.concat(Stream.of(key.fullName()), key.aliases().stream()))
            .toList();
    return MeantName.of(name, Stream.concat(known.stream(), S3aNames.all().stream()).toList());
  }
}
