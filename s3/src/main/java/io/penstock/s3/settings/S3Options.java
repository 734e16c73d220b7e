/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.s3.settings;

import io.penstock.core.config.ConfigException;
import io.penstock.core.config.Settings;
import io.penstock.core.store.keys.BucketNames;
import io.penstock.core.store.parts.PartNumbering;
import java.time.Duration;
import java.util.Locale;
import java.util.Optional;
import java.util.function.UnaryOperator;
import software.amazon.awssdk.services.s3.model.ObjectCannedACL;
import software.amazon.awssdk.services.s3.model.StorageClass;

/**
 * The checked settings of one bucket.
 *
 * @param region set by the user or the endpoint's host name; if empty, the region is found out
 * @param firstRegion the region that the first request is sent to
 * @param accessPoint what requests name instead of the bucket
 * @param tags the tags of written objects, as the header has them
 */
public record S3Options(
    Endpoint endpoint,
    Optional<AccessPoint> accessPoint,
    Optional<String> region,
    String firstRegion,
    CredentialSource credentials,
    Encryption encryption,
    boolean requesterPays,
    Optional<StorageClass> storageClass,
    Optional<ObjectCannedACL> acl,
    Optional<String> tags,
    Optional<String> bucketOwner,
    S3Keys.Checksum checksum,
    boolean checksReads,
    S3Keys.Conditional conditionalWrites,
    PartNumbering partNumbering,
    Http http) {

  /**
   * The settings of connections.
   *
   * @param proxy if empty, the JVM's properties and the environment may name one
   * @param auditReferer whether requests say for what they are made
   */
  public record Http(
      int maxConnections,
      Duration connectTimeout,
      Duration socketTimeout,
      Optional<Proxy> proxy,
      Optional<String> userAgent,
      boolean auditReferer) {}

  /**
   * Reads the settings of a bucket.
   *
   * @param environment returns the value of an environment variable of the process, or null
   */
  public static S3Options from(
      String bucket, Settings settings, UnaryOperator<String> environment) {
    refuseUnserved(bucket);
    Optional<AccessPoint> point = settings.get(S3Keys.ACCESS_POINT, AccessPoint::of);
    Endpoint endpoint =
        Endpoint.of(point.map(AccessPoint::name).orElse(bucket), settings, environment);
    if (point.isPresent() && (!endpoint.aws() || endpoint.pathStyle())) {
      throw new ConfigException(
          "penstock.access.point needs an endpoint of AWS and host names that begin with the bucket: take away penstock.path.style, and penstock.endpoint=%s if it is another store"
              .formatted(endpoint.shown()));
    }
    Optional<String> region =
        settings.get(S3Keys.REGION).map(text -> text.toLowerCase(Locale.ROOT));
    Optional<String> fixed =
        point.map(AccessPoint::region).or(() -> region).or(endpoint::hostRegion);
    String first = fixed.orElseGet(() -> Regions.fromEnvironment(settings.get(S3Keys.PROFILE)));
    CredentialSource credentials = CredentialSettings.from(settings, first);
    return new S3Options(
        endpoint,
        point,
        fixed,
        first,
        credentials,
        Encryption.from(settings),
        settings.get(S3Keys.REQUESTER_PAYS),
        settings.get(S3Keys.STORAGE_CLASS, S3Options::storageClassOf),
        settings.get(S3Keys.ACL, S3Options::aclOf),
        settings.get(S3Keys.TAGS, ObjectTags::header),
        settings.get(S3Keys.BUCKET_OWNER, S3Options::accountOf),
        checksum(settings.get(S3Keys.CHECKSUM), endpoint, credentials),
        settings.get(S3Keys.CHECKS_READS),
        settings.get(S3Keys.CONDITIONAL_WRITES),
        numbering(settings.get(S3Keys.PART_NUMBERS), endpoint),
        new Http(
            settings.get(S3Keys.MAX_CONNECTIONS),
            settings.get(S3Keys.CONNECT_TIMEOUT),
            settings.get(S3Keys.SOCKET_TIMEOUT),
            Proxy.from(settings),
            settings.get(S3Keys.USER_AGENT, S3Options::headerText),
            sendsReferer(settings)));
  }

  /** S3A sends no Referer without its audit, whatever is set for the Referer itself. */
  private static boolean sendsReferer(Settings settings) {
    boolean isS3as =
        settings.sourceOf(S3Keys.AUDIT_REFERER).filter(name -> name.startsWith("fs.")).isPresent();
    boolean isOff = settings.foreign("fs.s3a.audit.enabled").filter("false"::equals).isPresent();
    return settings.get(S3Keys.AUDIT_REFERER) && !(isS3as && isOff);
  }

  /** Refuses kinds of buckets that work in another way than S3's general ones. */
  private static void refuseUnserved(String bucket) {
    try {
      String unused = BucketNames.checked(bucket);
    } catch (IllegalArgumentException e) {
      throw new ConfigException(e.getMessage());
    }
    if (bucket.endsWith("--x-s3")) {
      throw new ConfigException(
          "%s is a directory bucket (S3 Express One Zone), which Penstock does not serve: it relies on listings in the order of the keys, and these buckets have none. Use a general purpose bucket"
              .formatted(bucket));
    }
    if (bucket.endsWith(".mrap")) {
      throw new ConfigException(
          "%s is a multi-region access point, which Penstock does not serve: it needs signatures of version 4A. Use the bucket's name, or the alias of an access point of one region"
              .formatted(bucket));
    }
  }

  private static String accountOf(String text) {
    if (!text.matches("[0-9]{12}")) {
      throw new ConfigException(
          "penstock.bucket.owner=%s is not the id of an AWS account, which has 12 digits."
              .formatted(text));
    }
    return text;
  }

  private static S3Keys.Checksum checksum(
      S3Keys.Checksum chosen, Endpoint endpoint, CredentialSource credentials) {
    if (chosen != S3Keys.Checksum.AUTO) {
      return chosen;
    }
    if (endpoint.aws()) {
      return S3Keys.Checksum.CRC32C;
    }
    // Over plain http, a signature covers the SHA-256 of the whole body (see ClientFactory), which
    // the store checks. A checksum beside it would cost more CPU time and find nothing more.
    return endpoint.plainHttp() && !credentials.mayBeAnonymous()
        ? S3Keys.Checksum.NONE
        : S3Keys.Checksum.AUTO;
  }

  private static PartNumbering numbering(S3Keys.Parts chosen, Endpoint endpoint) {
    return switch (chosen) {
      case AUTO -> endpoint.numbering();
      case CONSECUTIVE -> PartNumbering.CONSECUTIVE;
      case SPACED -> PartNumbering.SPACED;
      case UNIFORM -> PartNumbering.UNIFORM;
    };
  }

  private static StorageClass storageClassOf(String text) {
    StorageClass value = StorageClass.fromValue(text.toUpperCase(Locale.ROOT).replace('-', '_'));
    if (value == StorageClass.UNKNOWN_TO_SDK_VERSION) {
      throw new ConfigException(
          "penstock.storage.class=%s is not a storage class. Choose one of these: %s."
              .formatted(text, StorageClass.knownValues()));
    }
    return value;
  }

  /**
   * Returns the ACL of a name in Hadoop's form, {@code BucketOwnerFullControl}, or in S3's, {@code
   * bucket-owner-full-control}.
   */
  private static ObjectCannedACL aclOf(String text) {
    String wanted = letters(text);
    return ObjectCannedACL.knownValues().stream()
        .filter(acl -> letters(acl.toString()).equals(wanted))
        .findFirst()
        .orElseThrow(
            () ->
                new ConfigException(
                    "penstock.acl=%s is not a canned ACL. Choose one of these: %s."
                        .formatted(text, ObjectCannedACL.knownValues())));
  }

  private static String letters(String text) {
    return text.toLowerCase(Locale.ROOT).replaceAll("[^a-z]", "");
  }

  private static String headerText(String text) {
    if (!text.chars().allMatch(c -> c >= ' ' && c < 127)) {
      throw new ConfigException("penstock.user.agent must be printable ASCII.");
    }
    return text;
  }
}
