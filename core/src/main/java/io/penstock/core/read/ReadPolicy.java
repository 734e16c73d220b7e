/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.core.read;

/** What a reader has been told about how an object will be read. */
public enum ReadPolicy {
  /** Nothing: assume from front to end until a seek shows otherwise. */
  ADAPTIVE,
  /** From some place on to the end. */
  SEQUENTIAL,
  /** Here and there, as columnar formats are. */
  RANDOM
}
