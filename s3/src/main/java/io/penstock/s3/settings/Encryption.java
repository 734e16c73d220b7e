/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.s3.settings;

import io.penstock.core.config.ConfigException;
import io.penstock.core.config.MissingConfigException;
import io.penstock.core.config.Settings;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.Base64;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import software.amazon.awssdk.services.s3.model.ServerSideEncryption;

/**
 * The encryption of objects at rest, with the values for the request headers.
 *
 * @param kmsKey id or ARN of the key; empty for the store's own key
 */
public record Encryption(
    Optional<ServerSideEncryption> algorithm,
    Optional<String> kmsKey,
    Optional<CustomerKey> customerKey) {
  static final Encryption NONE =
      new Encryption(Optional.empty(), Optional.empty(), Optional.empty());

  /** The keys with which other systems choose the encryption. */
  public static final List<String> FOREIGN =
      List.of(
          "fs.s3a.encryption.algorithm",
          "fs.s3a.server-side-encryption-algorithm",
          "fs.s3.enableServerSideEncryption",
          "fs.s3.cse.enabled");

  private static final int CUSTOMER_KEY_BYTES = 32;

  /** A 256-bit key that the store does not keep, and its digest, both in Base64. */
  public record CustomerKey(String base64, String md5) {
    public static final String ALGORITHM = "AES256";

    @Override
    public String toString() {
      return "(hidden)";
    }
  }

  static Encryption from(Settings settings) {
    Optional<String> key = settings.get(S3Keys.ENCRYPTION_KEY);
    refuseClientSide(settings);
    S3Keys.Encryption chosen = chosen(settings, key.isPresent());
    return switch (chosen) {
      case NONE -> none(settings, key);
      case SSE_S3 -> serverKey(settings, key);
      case SSE_KMS -> kms(ServerSideEncryption.AWS_KMS, key);
      case DSSE_KMS -> kms(ServerSideEncryption.AWS_KMS_DSSE, key);
      case SSE_C ->
          customer(key, settings.sourceOf(S3Keys.ENCRYPTION_KEY).orElse("penstock.encryption.key"));
    };
  }

  private static S3Keys.Encryption chosen(Settings settings, boolean hasKey) {
    if (settings.sourceOf(S3Keys.ENCRYPTION).isPresent()) {
      return settings.get(S3Keys.ENCRYPTION);
    }
    for (String name : FOREIGN.subList(0, 2)) {
      Optional<String> algorithm = settings.foreign(name).map(String::strip);
      if (algorithm.isPresent() && !algorithm.get().isEmpty()) {
        return ofS3a(name, algorithm.get());
      }
    }
    if (settings.foreign(FOREIGN.get(2)).map(Boolean::parseBoolean).orElse(false)) {
      return hasKey ? S3Keys.Encryption.SSE_KMS : S3Keys.Encryption.SSE_S3;
    }
    return S3Keys.Encryption.NONE;
  }

  private static S3Keys.Encryption ofS3a(String name, String algorithm) {
    return switch (algorithm.toUpperCase(Locale.ROOT)) {
      case "AES256" -> S3Keys.Encryption.SSE_S3;
      case "SSE-KMS" -> S3Keys.Encryption.SSE_KMS;
      case "DSSE-KMS" -> S3Keys.Encryption.DSSE_KMS;
      case "SSE-C" -> S3Keys.Encryption.SSE_C;
      default ->
          throw new ConfigException(
              ("%s=%s is not supported%s. Penstock offers AES256, SSE-KMS, DSSE-KMS and SSE-C"
                      + " (penstock.encryption=sse-s3, sse-kms, dsse-kms, sse-c).")
                  .formatted(
                      name,
                      algorithm,
                      algorithm.toUpperCase(Locale.ROOT).startsWith("CSE")
                          ? ": this is encryption in the client, and Penstock cannot read data that"
                              + " was written with it"
                          : ""));
    };
  }

  private static void refuseClientSide(Settings settings) {
    String name = FOREIGN.get(3);
    if (settings.foreign(name).map(Boolean::parseBoolean).orElse(false)) {
      throw new ConfigException(
          name
              + "=true: encryption in the client is not supported, and Penstock cannot read data"
              + " that was written with it. Remove the setting; for new data you can use"
              + " penstock.encryption=sse-kms.");
    }
  }

  private static Encryption none(Settings settings, Optional<String> key) {
    boolean oursIsSet =
        settings.sourceOf(S3Keys.ENCRYPTION_KEY).filter(n -> n.startsWith("penstock.")).isPresent();
    if (key.isPresent() && oursIsSet) {
      throw new ConfigException(
          "penstock.encryption.key is set, but penstock.encryption is none. Set penstock.encryption"
              + " to sse-kms, dsse-kms or sse-c, or remove the key.");
    }
    return NONE;
  }

  private static Encryption serverKey(Settings settings, Optional<String> key) {
    if (key.isPresent()) {
      throw new ConfigException(
          settings.sourceOf(S3Keys.ENCRYPTION_KEY).orElseThrow()
              + " is set, but sse-s3 uses S3's own key. Remove the key, or set"
              + " penstock.encryption=sse-kms.");
    }
    return new Encryption(
        Optional.of(ServerSideEncryption.AES256), Optional.empty(), Optional.empty());
  }

  private static Encryption kms(ServerSideEncryption algorithm, Optional<String> key) {
    return new Encryption(Optional.of(algorithm), key, Optional.empty());
  }

  private static Encryption customer(Optional<String> key, String name) {
    String base64 =
        key.orElseThrow(
            () ->
                new MissingConfigException(
                    "penstock.encryption=sse-c needs penstock.encryption.key: 256 bits in Base64,"
                        + " as `openssl rand -base64 32` makes them."));
    byte[] raw = decode(base64, name);
    if (raw.length != CUSTOMER_KEY_BYTES) {
      throw new ConfigException(
          "%s=(hidden): for sse-c it must be 32 bytes in Base64, not %d."
              .formatted(name, raw.length));
    }
    String md5 = Base64.getEncoder().encodeToString(md5().digest(raw));
    return new Encryption(
        Optional.empty(), Optional.empty(), Optional.of(new CustomerKey(base64, md5)));
  }

  private static byte[] decode(String base64, String name) {
    try {
      return Base64.getDecoder().decode(base64);
    } catch (IllegalArgumentException e) {
      // The cause is left out, because its message quotes characters of the key.
      throw new ConfigException(name + "=(hidden): for sse-c it must be Base64.");
    }
  }

  private static MessageDigest md5() {
    try {
      return MessageDigest.getInstance("MD5");
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("every Java platform has MD5", e);
    }
  }
}
