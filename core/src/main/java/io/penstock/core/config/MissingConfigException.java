/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.core.config;

/**
 * A setting needs another one, or a class, that this process does not have. Another process with
 * other files and jars may have it.
 */
public final class MissingConfigException extends ConfigException {
  private static final long serialVersionUID = 1L;

  public MissingConfigException(String message) {
    super(message);
  }
}
