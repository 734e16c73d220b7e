/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.doctor.spark;

import java.util.regex.Pattern;

/** Values of settings as they may be shown: a secret is not. */
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
    // A URL may carry a user and a password.
    String text = value.replaceAll("(?<=://)[^/@\\s]*@", "(hidden)@");
    return text.length() <= LONGEST ? text : text.substring(0, LONGEST - 1) + "…";
  }
}
