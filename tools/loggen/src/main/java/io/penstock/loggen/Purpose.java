/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.loggen;

/**
 * The purposes of random draws. Each has its own stream, so that a new purpose does not change the
 * draws of the others.
 */
final class Purpose {
  static final int SLICE = 100;
  static final int STRATA = 101;
  static final int READ_KIND = 102;
  static final int SIZE = 103;
  static final int PREFIX = 104;
  static final int UPLOAD_ID = 105;
  static final int REQUEST_ID = 106;
  static final int HOST_ID = 107;
  static final int ODD = 108;
  static final int PROCESS = 109;
  static final int FILE_NAME = 110;
  static final int EVENT_ID = 111;
  static final int READ = 112;
  static final int TASK = 113;
  static final int LATE = 114;

  private Purpose() {}
}
