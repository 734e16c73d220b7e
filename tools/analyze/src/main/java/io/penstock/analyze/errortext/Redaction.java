/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.analyze.errortext;

import java.util.regex.Pattern;

/** Removes secrets from settings and texts before they are stored or shown. */
public final class Redaction {
  private static final String GONE = "(redacted)";
  private static final int MAX_VALUE = 4000;

  /** The most characters of a name, a description or an error. */
  public static final int MAX_LABEL = 200;

  private static final String SECRET_WORDS =
      "secret|passw|passphrase|token|session(?==)|credential|access[._-]?key|account[._-]?key|private[._-]?key"
          + "|api[._-]?key|sas[._-]?key|encryption[._-]?key|signature";
  private static final Pattern SECRET_NAME =
      Pattern.compile(SECRET_WORDS, Pattern.CASE_INSENSITIVE);
  // The value of such a setting is the name of a class, which the advice needs.
  private static final Pattern CLASS_NAME = Pattern.compile("[\\w.$,\\s]+Provider[\\w.$,\\s]*");
  private static final Pattern USER_INFO = Pattern.compile("://[^@\\s\"']++@");
  private static final Pattern ACCESS_KEY = Pattern.compile("\\b(?:AKIA|ASIA)[A-Z0-9]{12,}");
  // Matches -Dsome.password=x, ?sig=x and the like inside longer values.
  private static final Pattern ASSIGNED =
      Pattern.compile("(?i)((?:" + SECRET_WORDS + "|\\bsig)[\\w.-]*+\\s*+[=:]\\s*+)[^\\s,;&\"']+");
  // Matches a value that consists only of a text that looks like an AWS secret key.
  private static final Pattern SECRET_KEY =
      Pattern.compile("(?=.*[a-z])(?=.*[A-Z])(?=.*[0-9])[A-Za-z0-9/+]{40}");

  private static final Pattern CONTROL = Pattern.compile("[\\p{Cntrl}\\u2028\\u2029]+");

  private Redaction() {}

  public static String setting(String name, String value) {
    boolean isSecret = SECRET_NAME.matcher(name).find() && !CLASS_NAME.matcher(value).matches();
    return isSecret && !value.isEmpty() ? GONE : text(cut(value, MAX_VALUE));
  }

  /** Returns a name or description as one line, shortened if necessary. Null stays null. */
  public static String label(String text) {
    if (text == null) {
      return null;
    }
    String line = CONTROL.matcher(cut(text, MAX_VALUE)).replaceAll(" ").strip();
    return cut(text(line), MAX_LABEL);
  }

  private static String text(String value) {
    if (SECRET_KEY.matcher(value).matches()) {
      return GONE;
    }
    String clean = USER_INFO.matcher(value).replaceAll("://" + GONE + "@");
    clean = ACCESS_KEY.matcher(clean).replaceAll(GONE);
    return ASSIGNED.matcher(clean).replaceAll("$1" + GONE);
  }

  /** Returns the beginning of a text. Secrets must be out of it: one that is cut is not known. */
  public static String cut(String text, int most) {
    if (text.length() <= most) {
      return text;
    }
    int end = Character.isHighSurrogate(text.charAt(most - 1)) ? most - 1 : most;
    return text.substring(0, end);
  }
}
