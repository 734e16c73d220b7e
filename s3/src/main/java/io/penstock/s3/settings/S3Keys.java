/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.s3.settings;

import io.penstock.core.config.ConfigKey;
import java.time.Duration;
import java.util.List;
import java.util.Optional;

/** The settings of the S3 adapter. */
public final class S3Keys {
  /** The kind of credentials to use; {@code auto} chooses by the keys that are set. */
  public enum Credentials {
    AUTO,
    DEFAULT,
    STATIC,
    ANONYMOUS,
    PROFILE,
    WEB_IDENTITY,
    ASSUMED_ROLE
  }

  /** The encryption of objects at rest. */
  public enum Encryption {
    NONE,
    SSE_S3,
    SSE_KMS,
    DSSE_KMS,
    SSE_C
  }

  /**
   * The setting for conditional writes; {@code auto} probes the store once if the answer is not
   * known.
   */
  public enum Conditional {
    AUTO,
    TRUE,
    FALSE
  }

  /**
   * The integrity checksum of uploads. {@code auto} is CRC32C on AWS; elsewhere it is the SHA-256
   * of the signature over plain http, and over https CRC32C if the store checks it, otherwise MD5.
   * Parts carry an MD5 if this is {@code SHA256}.
   */
  public enum Checksum {
    AUTO,
    NONE,
    CRC32,
    CRC32C,
    CRC64NVME,
    SHA256,
    /** {@code Content-MD5}, which every store knows. */
    MD5
  }

  /** The numbering of parts; {@code auto} goes by the endpoint. */
  public enum Parts {
    AUTO,
    CONSECUTIVE,
    SPACED,
    UNIFORM
  }

  public static final ConfigKey<Optional<String>> ENDPOINT =
      ConfigKey.text("endpoint")
          .alsoReads("fs.s3a.endpoint", "fs.s3.endpoint")
          .doc("URL or host name of the store. Default: AWS's endpoint of the region.");

  public static final ConfigKey<Optional<String>> REGION =
      ConfigKey.text("region")
          .alsoReads("fs.s3a.endpoint.region", "fs.s3.endpoint.region")
          .doc(
              "The bucket's region. Default: the region in the environment; if there is none,"
                  + " Penstock asks S3.");

  public static final ConfigKey<Boolean> PATH_STYLE =
      ConfigKey.bool("path.style")
          .defaultsTo("false")
          .alsoReads("fs.s3a.path.style.access", "fs.s3.path.style.access")
          .doc(
              "Put the bucket's name into the path of the URL, not into the host name. Most stores"
                  + " other than AWS need this.");

  public static final ConfigKey<Optional<String>> ENDPOINT_VARIANT =
      ConfigKey.text("endpoint.variant")
          .doc(
              "Which of AWS's endpoints of the region: some of fips, dual-stack and accelerate,"
                  + " separated by commas. Penstock also reads fs.s3a.endpoint.fips.");

  public static final ConfigKey<Boolean> TLS =
      ConfigKey.bool("tls")
          .defaultsTo("true")
          .alsoReads("fs.s3a.connection.ssl.enabled")
          .doc("Use https when the endpoint names no scheme.");

  public static final ConfigKey<Credentials> CREDENTIALS =
      ConfigKey.choice("credentials", Credentials.class)
          .defaultsTo("auto")
          .doc(
              "Where credentials come from. auto uses the key, profile or role in Penstock's"
                  + " settings, or else the default chain (environment, files, web identity,"
                  + " container, instance).");

  public static final ConfigKey<Optional<String>> ACCESS_KEY =
      ConfigKey.secret("access.key")
          .alsoReads("fs.s3a.access.key", "fs.s3.awsAccessKeyId")
          .doc("Access key id of static credentials.");

  public static final ConfigKey<Optional<String>> SECRET_KEY =
      ConfigKey.secret("secret.key")
          .alsoReads("fs.s3a.secret.key", "fs.s3.awsSecretAccessKey")
          .doc("Secret of static credentials.");

  public static final ConfigKey<Optional<String>> SESSION_TOKEN =
      ConfigKey.secret("session.token")
          .alsoReads("fs.s3a.session.token")
          .doc("Session token of static credentials that are temporary.");

  public static final ConfigKey<Optional<String>> PROFILE =
      ConfigKey.text("profile")
          .alsoReads("fs.s3a.auth.profile.name")
          .doc("Profile of the AWS configuration files.");

  public static final ConfigKey<Optional<String>> ROLE_ARN =
      ConfigKey.text("role.arn")
          .alsoReads("fs.s3a.assumed.role.arn")
          .doc(
              "Role to assume. Penstock assumes it with the credentials that it would use without"
                  + " this setting.");

  public static final ConfigKey<String> ROLE_SESSION =
      ConfigKey.word("role.session")
          .defaultsTo("penstock")
          .alsoReads("fs.s3a.assumed.role.session.name")
          .doc("Session name under which the role is assumed.");

  public static final ConfigKey<Optional<String>> ROLE_EXTERNAL_ID =
      ConfigKey.text("role.external.id")
          .alsoReads("fs.s3a.assumed.role.external.id")
          .doc("External id that the role's trust policy asks for.");

  public static final ConfigKey<Optional<String>> ROLE_POLICY =
      ConfigKey.text("role.policy")
          .alsoReads("fs.s3a.assumed.role.policy")
          .doc(
              "Session policy in JSON that narrows the rights of the assumed role. Default: all"
                  + " rights of the role.");

  public static final ConfigKey<Duration> ROLE_DURATION =
      ConfigKey.duration("role.duration")
          .defaultsTo("30m")
          .alsoReads("fs.s3a.assumed.role.session.duration")
          .mustBe(
              "15m to 12h",
              d ->
                  d.compareTo(Duration.ofMinutes(15)) >= 0
                      && d.compareTo(Duration.ofHours(12)) <= 0)
          .doc("How long the assumed role's credentials are valid.");

  public static final ConfigKey<Optional<String>> STS_ENDPOINT =
      ConfigKey.text("role.sts.endpoint")
          .alsoReads("fs.s3a.assumed.role.sts.endpoint")
          .doc("STS endpoint at which the role is assumed. Default: the region's own STS.");

  public static final ConfigKey<Encryption> ENCRYPTION =
      ConfigKey.choice("encryption", Encryption.class)
          .defaultsTo("none")
          .doc(
              "How S3 encrypts objects at rest; none means the bucket's default. Penstock also"
                  + " reads fs.s3a.encryption.algorithm and fs.s3.enableServerSideEncryption, and"
                  + " refuses fs.s3.cse.enabled.");

  public static final ConfigKey<Optional<String>> ENCRYPTION_KEY =
      ConfigKey.secret("encryption.key")
          .alsoReads(
              "fs.s3a.encryption.key",
              "fs.s3a.server-side-encryption.key",
              "fs.s3.serverSideEncryption.kms.keyId")
          .doc("Id or ARN of the KMS key; for sse-c, the 256-bit key in Base64.");

  public static final ConfigKey<Boolean> REQUESTER_PAYS =
      ConfigKey.bool("requester.pays")
          .defaultsTo("false")
          .alsoReads("fs.s3a.requester.pays.enabled", "fs.s3.useRequesterPaysHeader")
          .doc("Accept the charges of a requester-pays bucket.");

  public static final ConfigKey<Optional<String>> STORAGE_CLASS =
      ConfigKey.text("storage.class")
          .alsoReads("fs.s3a.create.storage.class", "fs.s3.storageClass")
          .doc("Storage class of written objects, such as intelligent_tiering.");

  public static final ConfigKey<Optional<String>> ACL =
      ConfigKey.text("acl")
          .alsoReads("fs.s3a.acl.default", "fs.s3.canned.acl")
          .doc("Canned ACL of written objects, such as bucket-owner-full-control.");

  public static final ConfigKey<Optional<String>> TAGS =
      ConfigKey.text("tags")
          .doc(
              "Tags of written objects, as team=lake,cost=7; at most 10. Writing them needs"
                  + " s3:PutObjectTagging.");

  public static final ConfigKey<Optional<String>> BUCKET_OWNER =
      ConfigKey.text("bucket.owner")
          .doc(
              "Account id that must own the bucket. If another account does, S3 answers each"
                  + " request with AccessDenied.");

  public static final ConfigKey<Optional<String>> ACCESS_POINT =
      ConfigKey.text("access.point")
          .alsoReads("fs.s3a.accesspoint.arn")
          .doc(
              "ARN of the access point that requests go to instead of the bucket; set it for one"
                  + " bucket. The alias of an access point is a bucket's name and needs no"
                  + " setting.");

  public static final ConfigKey<Checksum> CHECKSUM =
      ConfigKey.choice("checksum", Checksum.class)
          .defaultsTo("auto")
          .alsoReads("fs.s3a.create.checksum.algorithm")
          .doc(
              "Checksum of written data. auto: crc32c, or md5 if the store lacks crc32c; to a store"
                  + " other than AWS over http, only the checksum in the signature. sha256: for"
                  + " whole objects; parts have an md5.");

  public static final ConfigKey<Boolean> CHECKS_READS =
      ConfigKey.bool("checksum.reads")
          .defaultsTo("true")
          .alsoReads("fs.s3a.checksum.validation")
          .doc(
              "Verify an object against its ETag, if the object arrives whole in one answer and the"
                  + " ETag is an MD5 of the content.");

  public static final ConfigKey<Conditional> CONDITIONAL_WRITES =
      ConfigKey.choice("conditional.writes", Conditional.class)
          .defaultsTo("auto")
          .doc(
              "Whether the store honours If-None-Match and If-Match when it puts an object and when"
                  + " it completes an upload (Ceph does not). auto assumes that AWS does, and tests"
                  + " any other store once.");

  public static final ConfigKey<Parts> PART_NUMBERS =
      ConfigKey.choice("upload.part.numbers", Parts.class)
          .defaultsTo("auto")
          .doc(
              "Numbers of parts. spaced: one per attempt, as MinIO drops a part if another attempt"
                  + " at it is cut. consecutive: one per part. uniform: also all of one size. auto:"
                  + " by the endpoint, see docs/stores.md.");

  public static final ConfigKey<Integer> MAX_CONNECTIONS =
      ConfigKey.count("connections.max")
          .defaultsTo("256")
          .alsoReads("fs.s3a.connection.maximum", "fs.s3.maxConnections")
          .doc("Maximum number of open connections for each pair of endpoint and credentials.");

  public static final ConfigKey<Duration> CONNECT_TIMEOUT =
      ConfigKey.duration("connect.timeout")
          .defaultsTo("5s")
          .alsoReads("fs.s3a.connection.establish.timeout", "fs.s3.connection.establish.timeout")
          .doc("How long it may take to open a connection.");

  public static final ConfigKey<Duration> SOCKET_TIMEOUT =
      ConfigKey.duration("socket.timeout")
          .defaultsTo("2m")
          .alsoReads("fs.s3a.connection.timeout", "fs.s3.connection.timeout")
          .doc(
              "How long a connection may be silent before the request attempt on it fails. This"
                  + " limit matters only if no deadline ends the attempt earlier.");

  public static final ConfigKey<Optional<String>> PROXY =
      ConfigKey.text("proxy")
          .alsoReads("fs.s3a.proxy.host")
          .doc(
              "HTTP proxy on the way to the store, as http://HOST:PORT. S3A's host goes with"
                  + " fs.s3a.proxy.port and fs.s3a.proxy.ssl.enabled. Default: the JVM's properties"
                  + " and the environment (HTTPS_PROXY).");

  public static final ConfigKey<Optional<String>> PROXY_USERNAME =
      ConfigKey.text("proxy.username")
          .alsoReads("fs.s3a.proxy.username")
          .doc("User name for the proxy.");

  public static final ConfigKey<Optional<String>> PROXY_PASSWORD =
      ConfigKey.secret("proxy.password")
          .alsoReads("fs.s3a.proxy.password")
          .doc("Password for the proxy.");

  public static final ConfigKey<Optional<String>> USER_AGENT =
      ConfigKey.text("user.agent")
          .alsoReads("fs.s3a.user.agent.prefix")
          .doc("Text before Penstock's name in the User-Agent header, to find a job in S3's logs.");

  public static final ConfigKey<Boolean> AUDIT_REFERER =
      ConfigKey.bool("audit.referer")
          .defaultsTo("true")
          .alsoReads("fs.s3a.audit.referrer.enabled", "fs.s3a.audit.enabled")
          .doc(
              "Send a Referer header that names the application, SQL query, stage and task of each"
                  + " request, in S3A's form. S3's access logs keep it, and penstock analyze reads"
                  + " it.");

  /** All keys in the order in which the documentation shows them. */
  public static final List<ConfigKey<?>> ALL =
      List.of(
          ENDPOINT,
          REGION,
          PATH_STYLE,
          ENDPOINT_VARIANT,
          TLS,
          CREDENTIALS,
          ACCESS_KEY,
          SECRET_KEY,
          SESSION_TOKEN,
          PROFILE,
          ROLE_ARN,
          ROLE_SESSION,
          ROLE_EXTERNAL_ID,
          ROLE_POLICY,
          ROLE_DURATION,
          STS_ENDPOINT,
          ENCRYPTION,
          ENCRYPTION_KEY,
          REQUESTER_PAYS,
          STORAGE_CLASS,
          ACL,
          TAGS,
          BUCKET_OWNER,
          ACCESS_POINT,
          CHECKSUM,
          CHECKS_READS,
          CONDITIONAL_WRITES,
          PART_NUMBERS,
          MAX_CONNECTIONS,
          CONNECT_TIMEOUT,
          SOCKET_TIMEOUT,
          PROXY,
          PROXY_USERNAME,
          PROXY_PASSWORD,
          USER_AGENT,
          AUDIT_REFERER);

  private S3Keys() {}
}
