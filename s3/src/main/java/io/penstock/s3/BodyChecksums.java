/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.s3;

import io.penstock.core.recent.LruCache;
import io.penstock.core.store.StoreException;
import io.penstock.core.store.StoreException.Kind;
import io.penstock.s3.settings.S3Keys.Checksum;
import io.penstock.s3.settings.S3Options;
import java.io.IOException;
import java.util.Locale;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import software.amazon.awssdk.core.SdkResponse;

/**
 * Chooses the checksum that goes with a body. A CRC32C costs a twentieth of an MD5, but not every
 * store knows it. A store that has checked one repeats it in its answer; a store that does not know
 * it ignores or refuses it. So the first body of a bucket tells which it is, without a request of
 * its own, and if it is refused it is sent again with an MD5.
 *
 * <p>A part's checksum is another question than that of a whole object. Amazon S3 accepts one of a
 * part only if the upload was created with its algorithm. Then the upload is <em>declared</em>.
 * MinIO and versitygw check the parts of any upload, but complete a declared one only if the
 * request repeats the checksums of all parts, which the process that completes it does not know. So
 * uploads are declared on Amazon S3 only.
 */
final class BodyChecksums {
  private static final Logger log = LoggerFactory.getLogger(BodyChecksums.class);

  private final Checksum wanted;
  private final String store;
  private final Known known;

  /** Holds what is known of one bucket. All stores that are opened on it share it. */
  private static final class Known {
    private final Trial objects = new Trial();
    private final Trial parts = new Trial();
    private volatile boolean isUndeclared;
    private volatile boolean areRepeated;
  }

  /** Holds what the answers to one kind of request have told. */
  private static final class Trial {
    private volatile boolean isChecked;
    private volatile boolean isUnknown;
  }

  /** Keeps what an engine has found out about its buckets. */
  static final class Found {
    /** More buckets than a process uses at a time. A bucket beyond this limit is tried again. */
    private static final int MOST = 10_000;

    private final LruCache<String, Known> buckets = new LruCache<>(MOST);

    BodyChecksums of(String bucket, S3Options options) {
      String endpoint = options.endpoint().shown();
      Known known =
          buckets.computeIfAbsent(
              endpoint + " " + bucket + " " + options.checksum(),
              name -> {
                Known fresh = new Known();
                fresh.isUndeclared = !options.endpoint().aws();
                return fresh;
              });
      return new BodyChecksums(options.checksum(), endpoint, known);
    }
  }

  private BodyChecksums(Checksum wanted, String store, Known known) {
    this.wanted = wanted;
    this.store = store;
    this.known = known;
  }

  /** A request that is sent with the checksum of its body. */
  @FunctionalInterface
  interface Sending<T extends SdkResponse> {
    T with(Checksum checksum) throws IOException;
  }

  /** Sends a whole object. */
  <T extends SdkResponse> T object(Sending<T> request) throws IOException {
    return wanted == Checksum.AUTO
        ? tried(request, Checksum.CRC32C, known.objects)
        : request.with(wanted);
  }

  /** Sends a part. */
  <T extends SdkResponse> T part(Sending<T> request) throws IOException {
    return switch (wanted) {
      case NONE -> request.with(Checksum.NONE);
      // An upload with SHA-256 sums is only completed with the sums of all parts.
      case MD5, SHA256 -> request.with(Checksum.MD5);
      case AUTO -> tried(request, Checksum.CRC32C, known.parts);
      case CRC32, CRC32C, CRC64NVME -> tried(request, wanted, known.parts);
    };
  }

  private <T extends SdkResponse> T tried(Sending<T> request, Checksum checksum, Trial trial)
      throws IOException {
    if (trial.isUnknown) {
      return request.with(Checksum.MD5);
    }
    T answer;
    try {
      answer = request.with(checksum);
    } catch (StoreException e) {
      if (!isRefused(e, trial)) {
        throw e;
      }
      answer = withMd5(request, e);
      unknown(trial, checksum, "refuses");
      return answer;
    }
    if (isRepeated(answer, checksum)) {
      trial.isChecked = true;
    } else {
      unknown(trial, checksum, "ignores");
    }
    return answer;
  }

  /**
   * Returns true if the checksum may be why the store has refused a request. Stores name all sorts
   * of codes. Where checksums were accepted before, the store must say that it is about one.
   */
  private static boolean isRefused(StoreException e, Trial trial) {
    return mayBeRefused(e) && (!trial.isChecked || isAboutChecksums(e));
  }

  private static boolean mayBeRefused(StoreException e) {
    return (e.kind() == Kind.INVALID_REQUEST || e.kind() == Kind.UNSUPPORTED) && !e.isOfName();
  }

  private static boolean isAboutChecksums(StoreException e) {
    return e.problem().toLowerCase(Locale.ROOT).contains("checksum");
  }

  private static <T extends SdkResponse> T withMd5(Sending<T> request, StoreException refusal)
      throws IOException {
    try {
      return request.with(Checksum.MD5);
    } catch (IOException e) {
      e.addSuppressed(refusal);
      throw e;
    }
  }

  private static boolean isRepeated(SdkResponse answer, Checksum checksum) {
    return answer.sdkHttpResponse().firstMatchingHeader(Checksums.header(checksum)).isPresent();
  }

  private void unknown(Trial trial, Checksum checksum, String how) {
    trial.isUnknown = true;
    log.info(
        "{} {} a {} of {}. From now on Penstock sends an MD5 instead, which costs about a second of"
            + " CPU time for each GB. With penstock.checksum=none it sends no checksum.",
        store,
        how,
        checksum,
        trial == known.parts ? "parts" : "objects");
  }

  // ---- declared uploads

  /** A request that creates an upload. */
  @FunctionalInterface
  interface Creating<T> {
    /**
     * Sends the request.
     *
     * @param declared the algorithm of the parts' checksums; {@link Checksum#NONE} for none
     */
    T with(Checksum declared) throws IOException;
  }

  /** Creates an upload, and declares the checksums of its parts where that is needed. */
  <T> T create(Creating<T> request) throws IOException {
    Checksum declared = known.isUndeclared ? Checksum.NONE : ofDeclared();
    if (declared == Checksum.NONE) {
      return request.with(Checksum.NONE);
    }
    try {
      return request.with(declared);
    } catch (StoreException e) {
      if (!mayBeRefused(e)) {
        throw e;
      }
      T created = request.with(Checksum.NONE);
      known.isUndeclared = true;
      unknown(known.parts, declared, "refuses");
      return created;
    }
  }

  private Checksum ofParts() {
    return wanted == Checksum.AUTO ? Checksum.CRC32C : wanted;
  }

  private Checksum ofDeclared() {
    return switch (wanted) {
      case CRC32, CRC32C, CRC64NVME -> wanted;
      case AUTO, NONE, SHA256, MD5 -> Checksum.NONE;
    };
  }

  /** A request that completes an upload. */
  @FunctionalInterface
  interface Completing<T> {
    /**
     * Sends the request.
     *
     * @param repeats whether it must repeat the parts' checksums
     */
    T with(boolean repeats) throws IOException;
  }

  /**
   * Completes an upload. The checksum of a declared upload is that of the full object, for which a
   * store does not need those of its parts. If it asks for them nevertheless, they are sent from
   * then on.
   */
  <T> T complete(Completing<T> request) throws IOException {
    if (known.areRepeated) {
      return request.with(true);
    }
    try {
      return request.with(false);
    } catch (StoreException e) {
      if (e.kind() != Kind.INVALID_REQUEST || !isAboutChecksums(e)) {
        throw e;
      }
      if (known.isUndeclared) {
        // The parts of this upload are lost, those of the next ones are not.
        unknown(known.parts, ofParts(), "completes no upload with");
        throw e.because("From now on parts carry an MD5 instead: write the object again.");
      }
      T completed = request.with(true);
      known.areRepeated = true;
      log.info(
          "{} completes an upload only if the request names the checksums of the parts", store);
      return completed;
    }
  }
}
