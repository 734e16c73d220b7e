/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.doctor.endpoint;

/** Asks a name server for exactly one name, without the search list and without caches. */
public interface NameServer {
  /** The answer of a name server. */
  enum Reply {
    FOUND,
    /** The name exists, but it has no record of the requested type. */
    NOTHING,
    NO_SUCH_NAME,
    SILENT
  }

  /**
   * Sends a query and waits for the answer, at most a second or two.
   *
   * @param type A or AAAA
   */
  Reply ask(String name, String type);
}
