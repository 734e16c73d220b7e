/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.s3;

import io.penstock.core.recent.Recent;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import software.amazon.awssdk.services.s3.model.GetObjectResponse;
import software.amazon.awssdk.services.s3.model.ServerSideEncryption;

/**
 * Compares objects that came whole, in one answer, with their ETags. Those are the MD5 of the
 * content or, of an upload of one part, the MD5 of that MD5.
 *
 * <p>Some ETags are something else, and nothing tells so for sure. So an answer that does not fit
 * fails at first, and is asked for again; the same bytes a second time are believed. After three
 * such objects nothing is compared any more.
 */
final class ContentCheck {
  private static final Logger LOG = LoggerFactory.getLogger(ContentCheck.class);
  private static final Pattern MD5 = Pattern.compile("([0-9a-f]{32})(-1)?");
  private static final int STRANGE_MAX = 3;
  private static final HexFormat HEX = HexFormat.of();

  private final boolean isOn;
  private final AtomicInteger strange = new AtomicInteger();

  /** The MD5 of what came for an object whose ETag it does not fit. */
  private final Recent<String, String> unfit = new Recent<>(1_000);

  ContentCheck(boolean isOn) {
    this.isOn = isOn;
  }

  /**
   * Returns what is wrong with the content of a whole object; empty when nothing is known to be.
   */
  Optional<String> problem(String key, GetObjectResponse response, byte[] content) {
    String etag = Answers.etag(response.eTag());
    Matcher md5 = MD5.matcher(etag);
    if (!isOn || strange.get() >= STRANGE_MAX || isEncrypted(response) || !md5.matches()) {
      return Optional.empty();
    }
    byte[] digest = digest(content);
    String found = HEX.formatHex(md5.group(2) == null ? digest : digest(digest));
    if (found.equals(md5.group(1))) {
      return Optional.empty();
    }
    if (unfit.put(key + '\n' + etag, found).equals(Optional.of(found))) {
      if (strange.incrementAndGet() == STRANGE_MAX) {
        LOG.info("ETags of this store are no MD5s; what is read is not compared with them");
      }
      return Optional.empty();
    }
    return Optional.of(
        "its content has the MD5 %s, which does not fit its ETag %s.".formatted(found, etag));
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
