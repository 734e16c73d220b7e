/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.doctor.spark;

import java.util.regex.Pattern;

/** Formats values of settings for display, and hides secrets. */
final class Shown {
  private static final Pattern SECRET =
      Pattern.compile(
          "(?i).*(?:secret|password|passphrase|token|credential|access\\.?key|encryption\\.key"
              + "|kms\\.keyid).*");
  private static final int LONGEST = 60;

  private Shown() {}

  static boolean isSecret(String name) {
    return SECRET.matcher(name).matches() && !name.endsWith(".provider");
  }

  static String value(String name, String value) {
    if (isSecret(name)) {
      return "(hidden)";
    }
    // A URL may contain a user name and a password.
    String text = value.replaceAll("(?<=://)[^/@\\s]*@", "(hidden)@");
    return text.length() <= LONGEST ? text : text.substring(0, LONGEST - 1) + "…";
  }
}
