/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.core.commit.files;

import io.penstock.core.store.Body;
import java.util.Objects;
import java.util.Optional;

/**
 * A small file that the driver writes with one PUT when the job commits. Until then its content is
 * only in the memory of the job's processes. An MD5 that does not have 32 characters, and content
 * that does not have the given size, throw an IllegalArgumentException.
 *
 * @param md5 MD5 of the content in lower-case hexadecimal
 * @param content empty in a process that knows the file only from the job's intent
 */
public record InlineFile(
    String bucket, String key, long sizeBytes, String md5, Optional<Body> content)
    implements TaskFile {
  /** The length of an MD5 in hexadecimal digits. */
  static final int MD5_DIGITS = 32;

  public InlineFile {
    Objects.requireNonNull(bucket, "bucket");
    Objects.requireNonNull(key, "key");
    if (md5.length() != MD5_DIGITS) {
      throw new IllegalArgumentException("not an MD5: " + md5);
    }
    if (sizeBytes < 0 || content.stream().anyMatch(body -> body.sizeBytes() != sizeBytes)) {
      throw new IllegalArgumentException(key + " has not the size " + sizeBytes);
    }
  }
}
