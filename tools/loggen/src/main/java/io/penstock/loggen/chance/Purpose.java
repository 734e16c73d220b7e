/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.loggen.chance;

/**
 * The purposes of random draws. Each has its own stream, so that a new purpose does not change the
 * draws of the others.
 */
public final class Purpose {
  public static final int SLICE = 100;
  public static final int STRATA = 101;
  public static final int READ_KIND = 102;
  public static final int SIZE = 103;
  public static final int PREFIX = 104;
  public static final int UPLOAD_ID = 105;
  public static final int REQUEST_ID = 106;
  public static final int HOST_ID = 107;
  public static final int ODD = 108;
  public static final int PROCESS = 109;
  public static final int FILE_NAME = 110;
  public static final int EVENT_ID = 111;
  public static final int READ = 112;
  public static final int TASK = 113;
  public static final int LATE = 114;

  private Purpose() {}
}
