/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.s3.answers;

import io.penstock.core.store.Operation;
import io.penstock.core.store.StoreException;
import io.penstock.core.store.StoreException.Kind;
import io.penstock.s3.network.CutShort;
import io.penstock.s3.settings.NoCredentialsException;
import io.penstock.s3.settings.Proxy;
import io.penstock.s3.settings.Regions;
import io.penstock.s3.settings.S3Options;
import io.penstock.s3.settings.UnusableProviderException;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.net.URI;
import java.nio.channels.ClosedByInterruptException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import software.amazon.awssdk.awscore.exception.AwsErrorDetails;
import software.amazon.awssdk.awscore.exception.AwsServiceException;
import software.amazon.awssdk.core.exception.AbortedException;
import software.amazon.awssdk.core.exception.SdkServiceException;
import software.amazon.awssdk.services.s3.model.S3Error;
import software.amazon.awssdk.services.sts.model.StsException;

/**
 * Translates the SDK's failures into ours, and adds advice on what to do. No other class does this.
 */
public final class SdkFailures {
  private static final Pattern ENCRYPTED = Pattern.compile("[Ee]ncrypt|\\bSSE\\b");
  private static final String SDK_LISTS_ALL = "Unable to load credentials from any";

  private final String bucket;
  private final S3Options options;
  private final Redactor redactor;

  public SdkFailures(String bucket, S3Options options) {
    this.bucket = bucket;
    this.options = options;
    List<String> secrets = new ArrayList<>(options.credentials().secrets());
    options.encryption().customerKey().ifPresent(key -> secrets.add(key.base64()));
    options.http().proxy().flatMap(Proxy::password).ifPresent(secrets::add);
    this.redactor = new Redactor(secrets);
  }

  /**
   * Returns the failure as a {@link StoreException}, or as an {@link InterruptedIOException} after
   * setting the thread's interrupt flag.
   *
   * @param key the key, or the prefix of a listing
   * @param region the region that the request was sent to
   */
  public IOException translate(
      Operation operation, String key, String region, RuntimeException failure) {
    List<Throwable> chain = chain(failure);
    String object = object(key);
    Optional<StoreException> ours = find(chain, StoreException.class);
    if (ours.isPresent()) {
      return ours.get();
    }
    if (isInterrupt(chain)) {
      Thread.currentThread().interrupt();
      InterruptedIOException interrupted =
          new InterruptedIOException(operation + " " + object + ": interrupted.");
      interrupted.initCause(redactor.redact(failure));
      return interrupted;
    }
    Optional<NoCredentialsException> none = find(chain, NoCredentialsException.class);
    if (none.isPresent()) {
      return withoutCredentials(operation, object, none.get(), chain);
    }
    Optional<NotS3Exception> page = find(chain, NotS3Exception.class);
    if (page.isPresent()) {
      return StoreException.of(
          Kind.NOT_S3,
          operation,
          object,
          "the answer does not come from an S3 store: it %s. %s"
              .formatted(
                  redactor.redact(page.get().getMessage()),
                  advice(operation, Kind.NOT_S3, "", Optional.empty())));
    }
    if (failure instanceof AwsServiceException refusal) {
      return refused(operation, object, region, refusal);
    }
    return new TransportFailure(options, redactor, operation, object, failure, chain)
        .toStoreException();
  }

  /** Returns the failure of one key in the answer to a DELETE_ALL. */
  public StoreException ofDeletion(S3Error error) {
    Kind kind = ErrorCodes.kindOf(Operation.DELETE_ALL, orEmpty(error.code()), 400);
    String problem =
        problem(
            Operation.DELETE_ALL, kind, said(error.code(), error.message(), 200), Optional.empty());
    return StoreException.of(kind, Operation.DELETE_ALL, object(error.key()), problem);
  }

  private StoreException refused(
      Operation operation, String object, String region, AwsServiceException refusal) {
    AwsErrorDetails details = refusal.awsErrorDetails();
    String code = details == null ? null : details.errorCode();
    String message = details == null ? null : details.errorMessage();
    Optional<String> better = Regions.namedBy(refusal, region);
    Kind kind = kindOf(operation, code, better, refusal);
    String said = said(code, message, refusal.statusCode());
    if (isPlainHttpOnTls(refusal)) {
      kind = Kind.UNREACHABLE;
      said +=
          (" An S3 store does not answer like this. The port may expect TLS: write"
              + " penstock.endpoint with https://.");
    }
    if (ErrorCodes.isUploadLost(operation, orEmpty(code), refusal.statusCode())) {
      said +=
          " Another write of this key was under way, so S3 will not complete this upload: write the"
              + " object again from the start.";
    }
    StoreException failure =
        new StoreException(
            kind,
            operation,
            object,
            problem(operation, kind, said, better),
            refusal.requestId(),
            redactor.redact(refusal));
    if (ErrorCodes.isOfName(orEmpty(code))) {
      return failure.ofName();
    }
    return RetryAfter.of(refusal).map(failure::retryAfter).orElse(failure);
  }

  /** Returns true if the store has refused the credentials as expired. */
  public static boolean isExpired(RuntimeException failure) {
    return failure instanceof AwsServiceException refusal
        && refusal.awsErrorDetails() != null
        && ErrorCodes.isExpired(orEmpty(refusal.awsErrorDetails().errorCode()));
  }

  private static Kind kindOf(
      Operation operation, String code, Optional<String> better, AwsServiceException refusal) {
    Kind kind = ErrorCodes.kindOf(operation, orEmpty(code), refusal.statusCode());
    boolean vague = kind == Kind.INVALID_REQUEST || kind == Kind.WRONG_REGION;
    if (vague && better.isPresent()) {
      return Kind.WRONG_REGION;
    }
    // AWS uses this code for other faults of the header too. Only a wrong region can be corrected
    // here.
    return "AuthorizationHeaderMalformed".equals(code) ? Kind.BAD_CREDENTIALS : kind;
  }

  /**
   * Returns true if the answer shows plain http on a TLS port. A web server reports this as text or
   * as an HTML page; a store would answer in XML. The SDK keeps the body only if it is XML.
   */
  private boolean isPlainHttpOnTls(AwsServiceException refusal) {
    AwsErrorDetails details = refusal.awsErrorDetails();
    return options.endpoint().plainHttp()
        && refusal.statusCode() == 400
        && details != null
        && details.sdkHttpResponse() != null
        && details
            .sdkHttpResponse()
            .firstMatchingHeader("Content-Type")
            .filter(type -> type.startsWith("text/plain") || type.startsWith("text/html"))
            .isPresent();
  }

  private String problem(Operation operation, Kind kind, String said, Optional<String> better) {
    String advice = advice(operation, kind, said, better);
    // Only the store's text is redacted. Ours contains no secret, and a secret may by chance be one
    // of its words.
    String shown = redactor.redact(said);
    return advice.isEmpty() ? shown : shown + " " + advice;
  }

  private static String said(String code, String message, int status) {
    String text = message == null || message.isBlank() ? "" : ": " + message.strip();
    String end = text.endsWith(".") || text.endsWith("!") ? "" : ".";
    return code == null || code.isEmpty()
        ? "status %d%s%s".formatted(status, text, end)
        : "%s (%d)%s%s".formatted(code, status, text, end);
  }

  private static String requestAdvice(Operation operation, String said) {
    if (said.startsWith("status 407")) {
      return "A proxy asks for a name and a password, or does not know these: check"
          + " penstock.proxy.username and penstock.proxy.password.";
    }
    if (operation == Operation.COMPLETE_UPLOAD && said.contains("same length")) {
      return "This store, as Cloudflare R2 does, wants parts of one size: set"
          + " penstock.upload.part.numbers=uniform.";
    }
    if (operation == Operation.HEAD) {
      return "An answer to HEAD does not carry a reason. Often, either the credentials have"
          + " expired, or the object is encrypted with a key other than penstock.encryption.key.";
    }
    return operation == Operation.GET && ENCRYPTED.matcher(said).find()
        ? "Objects that a customer's key encrypts are read with penstock.encryption=sse-c and that"
            + " key in penstock.encryption.key; those of S3 or KMS without either."
        : "";
  }

  private String advice(Operation operation, Kind kind, String said, Optional<String> better) {
    return switch (kind) {
      case NO_SUCH_BUCKET ->
          "Check the bucket's name, and that the bucket is on the store at %s (penstock.endpoint)."
                  .formatted(options.endpoint().shown())
              + pathAdvice();
      case ACCESS_DENIED ->
          said.startsWith("InvalidObjectState")
              ? "The object is archived: restore it first, or exclude it from the read."
              : ("The credentials (%s) lack %s here, or a bucket policy forbids it. Grant that"
                      + " permission, or choose other credentials with penstock.credentials.")
                  .formatted(options.credentials(), ErrorCodes.permissionFor(operation, said));
      case BAD_CREDENTIALS ->
          said.startsWith("RequestTimeTooSkewed")
              ? "The clock of this machine is wrong by more than 15 minutes: set it by NTP."
              : ("The credentials come from %s; correct them, renew them if they are temporary, or"
                      + " choose others with penstock.credentials.")
                  .formatted(options.credentials());
      case EXPIRED_CREDENTIALS ->
          ("The credentials come from %s; renew them, or set penstock.credentials to a source that"
                  + " renews them automatically.")
              .formatted(options.credentials());
      case WRONG_REGION -> regionAdvice(better);
      case UNSUPPORTED ->
          "The store at %s does not support this request.%s"
              .formatted(
                  shown(),
                  operation == Operation.COPY || operation == Operation.COPY_PART
                      ? " Renames need it; commits and checkpoints do not."
                      : "");
      case INVALID_REQUEST -> requestAdvice(operation, said);
      case PARENT_IS_OBJECT ->
          "This store keeps each object as a file, so no key can be below the key of an object:"
              + " delete that object, or choose another path.";
      case NOT_S3 ->
          ("Check that %s (penstock.endpoint) is an S3 store; also check its port, and any proxy in"
                  + " front of it. The store may have acted on the request.")
              .formatted(shown());
      case THROTTLED -> "The store asks for fewer requests a second.";
      case NO_SUCH_KEY -> operation == Operation.LIST ? pathAdvice().strip() : "";
      case NO_SUCH_UPLOAD,
          PRECONDITION_FAILED,
          CONFLICT,
          RANGE_NOT_SATISFIABLE,
          UNREACHABLE,
          CONNECTION_LOST,
          SERVER_ERROR ->
          "";
    };
  }

  /** Returns advice for an endpoint that may have the bucket's name as its path. */
  private String pathAdvice() {
    return options
        .endpoint()
        .override()
        .map(URI::getPath)
        .filter(path -> !path.isEmpty())
        .map(
            path ->
                " penstock.endpoint has the path %s: remove it if it is the bucket's name."
                    .formatted(path))
        .orElse("");
  }

  private String regionAdvice(Optional<String> right) {
    String asked = options.region().map(region -> ", not in " + region).orElse("");
    return right
        .map(
            region ->
                "The bucket is in %s%s: set penstock.region=%s.".formatted(region, asked, region))
        .orElse("The bucket is in another region: set penstock.region to that region.");
  }

  private StoreException withoutCredentials(
      Operation operation, String object, NoCredentialsException none, List<Throwable> chain) {
    Optional<AwsServiceException> sts =
        find(chain, StsException.class).map(AwsServiceException.class::cast);
    Kind kind = sts.map(SdkFailures::kindOfSts).orElse(Kind.BAD_CREDENTIALS);
    Throwable last = chain.get(chain.size() - 1);
    String reason =
        find(chain, UnusableProviderException.class)
            .map(Throwable::getMessage)
            .orElseGet(() -> last.getMessage() == null ? last.toString() : last.getMessage());
    if (reason.startsWith(SDK_LISTS_ALL)) {
      // The SDK's message has a paragraph on each provider. The cause still contains it.
      reason = "none of them has any.";
    }
    String problem =
        ("no credentials from %s: %s Set penstock.access.key and penstock.secret.key, or choose"
                + " another source with penstock.credentials (anonymous for a public bucket).")
            .formatted(
                none.source(),
                redactor.redact(sentence(sts.map(Throwable::getMessage).orElse(reason))));
    return new StoreException(
        kind,
        operation,
        object,
        problem,
        sts.map(SdkServiceException::requestId).orElse(null),
        redactor.redact(none));
  }

  /**
   * Returns the kind of a failure of STS. No request was sent to S3, so it is safe to repeat any
   * operation that may succeed later.
   */
  private static Kind kindOfSts(AwsServiceException sts) {
    String code = sts.awsErrorDetails() == null ? "" : sts.awsErrorDetails().errorCode();
    if (sts.statusCode() >= 500 || sts.isThrottlingException()) {
      return Kind.UNREACHABLE;
    }
    return "ExpiredTokenException".equals(code) || "ExpiredToken".equals(code)
        ? Kind.EXPIRED_CREDENTIALS
        : Kind.BAD_CREDENTIALS;
  }

  private static String orEmpty(String code) {
    return code == null ? "" : code;
  }

  private String shown() {
    return options.endpoint().shown();
  }

  private String object(String key) {
    return "s3://" + bucket + "/" + key;
  }

  static String sentence(String text) {
    String stripped = String.valueOf(text).strip();
    return stripped.endsWith(".") ? stripped : stripped + ".";
  }

  /**
   * Returns true if the thread was interrupted. A socket timeout is an InterruptedIOException too,
   * but no interrupt. Apache's client throws a plain one if the connection was shut between its
   * lease and its use, as by a cut: the thread of a hedged request must not be left interrupted by
   * that, since its next request would fail.
   */
  private static boolean isInterrupt(List<Throwable> chain) {
    if (find(chain, CutShort.class).isPresent()) {
      return Thread.currentThread().isInterrupted();
    }
    return Stream.of(
            AbortedException.class,
            InterruptedException.class,
            ClosedByInterruptException.class,
            InterruptedIOException.class)
        .anyMatch(type -> find(chain, type).filter(t -> !isTimeout(t)).isPresent());
  }

  private static boolean isTimeout(Throwable t) {
    return t instanceof InterruptedIOException && t.getClass() != InterruptedIOException.class;
  }

  static List<Throwable> chain(Throwable failure) {
    Set<Throwable> seen = Collections.newSetFromMap(new IdentityHashMap<>());
    List<Throwable> chain = new ArrayList<>();
    for (Throwable t = failure; t != null && seen.add(t); t = t.getCause()) {
      chain.add(t);
    }
    return chain;
  }

  static <T> Optional<T> find(List<Throwable> chain, Class<T> type) {
    return chain.stream().filter(type::isInstance).map(type::cast).findFirst();
  }
}
