/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.s3.answers;

import io.penstock.core.recent.LruCache;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import software.amazon.awssdk.services.s3.model.GetObjectResponse;
import software.amazon.awssdk.services.s3.model.ServerSideEncryption;

/**
 * Compares objects that were read completely in one answer with their ETags. Such an ETag is the
 * MD5 of the content, or, for an upload of one part, the MD5 of that MD5.
 *
 * <p>Some ETags are made in another way, and this cannot be seen for certain. So an object that
 * does not match its ETag is read once more. If the same bytes come again, they are accepted with a
 * warning. If no object of a store has ever matched, three such objects end the comparisons.
 */
public final class ContentCheck {
  private static final Logger LOG = LoggerFactory.getLogger(ContentCheck.class);
  private static final Pattern MD5 = Pattern.compile("([0-9a-f]{32})(-1)?");
  private static final int STRANGE_MAX = 3;
  private static final HexFormat HEX = HexFormat.of();

  private final boolean isOn;
  private final AtomicBoolean hasFitted = new AtomicBoolean();
  private final AtomicInteger strange = new AtomicInteger();

  /** Objects that do not match their ETags, but were read twice with the same content. */
  private final LruCache<String, Boolean> believed = new LruCache<>(1_000);

  public ContentCheck(boolean isOn) {
    this.isOn = isOn;
  }

  /**
   * Returns the MD5 of a whole object that does not match its ETag. Returns empty if it matches or
   * cannot be compared.
   */
  Optional<String> unfit(String key, GetObjectResponse response, byte[] content) {
    String etag = Answers.etag(response.eTag());
    Matcher md5 = MD5.matcher(etag);
    if (isOff() || isEncrypted(response) || !md5.matches()) {
      return Optional.empty();
    }
    byte[] digest = digest(content);
    String found = HEX.formatHex(md5.group(2) == null ? digest : digest(digest));
    if (found.equals(md5.group(1))) {
      hasFitted.set(true);
      return Optional.empty();
    }
    return believed.get(key + '\n' + etag).isPresent() ? Optional.empty() : Optional.of(found);
  }

  private boolean isOff() {
    return !isOn || (strange.get() >= STRANGE_MAX && !hasFitted.get());
  }

  /** Accepts an object that was read twice with the same content, which does not match its ETag. */
  public void believe(String object, String key, String etag, String found) {
    if (believed.put(key + '\n' + etag, true).isPresent()) {
      return;
    }
    LOG.warn(
        "{}: two reads gave the MD5 {}, but the ETag is {}. Either the ETag is not an MD5 of the"
            + " content, or the bytes in the store differ from those that were written",
        object,
        found,
        etag);
    if (strange.incrementAndGet() == STRANGE_MAX && !hasFitted.get()) {
      LOG.info(
          "ETags of this store are not MD5s, so the content that is read is not compared with"
              + " them");
    }
  }

  private static boolean isEncrypted(GetObjectResponse response) {
    ServerSideEncryption kind = response.serverSideEncryption();
    return response.sseCustomerAlgorithm() != null
        || (kind != null && kind != ServerSideEncryption.AES256);
  }

  private static byte[] digest(byte[] content) {
    try {
      return MessageDigest.getInstance("MD5").digest(content);
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("every Java platform has MD5", e);
    }
  }
}
