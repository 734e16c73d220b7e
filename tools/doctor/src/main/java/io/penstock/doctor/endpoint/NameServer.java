/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.doctor.endpoint;

/** Asks the machine's name server for exactly one name, past the search list and every cache. */
public interface NameServer {
  /** The answer of a name server. */
  enum Reply {
    FOUND,
    /** The name exists, and has no record of that type. */
    NOTHING,
    NO_SUCH_NAME,
    SILENT
  }

  /**
   * Waits for the answer, for a second or two.
   *
   * @param type A or AAAA
   */
  Reply ask(String name, String type);
}
