/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.core.read;

/** The ways in which an object will be read, as its reader has been told. */
public enum ReadPolicy {
  /** Nothing: assume from front to end until a seek shows otherwise. */
  ADAPTIVE,
  /** The object is read from some place on to the end. */
  SEQUENTIAL,
  /** Here and there, as columnar formats are. */
  RANDOM
}
