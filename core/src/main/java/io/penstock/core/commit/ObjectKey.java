/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.core.commit;

/** The key of an object, in some bucket. */
record ObjectKey(String bucket, String key) {
  static ObjectKey of(TaskFile file) {
    return new ObjectKey(file.bucket(), file.key());
  }

  @Override
  public String toString() {
    return "s3://" + bucket + "/" + key;
  }
}
