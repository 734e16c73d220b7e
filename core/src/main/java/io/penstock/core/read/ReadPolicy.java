/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.core.read;

/** The expected order of the reads of an object, as its reader was told. */
public enum ReadPolicy {
  /** Not known: reads are taken as sequential until a seek shows otherwise. */
  ADAPTIVE,
  /** The object is read from one position to the end. */
  SEQUENTIAL,
  /** The object is read at many positions, as with columnar formats. */
  RANDOM
}
