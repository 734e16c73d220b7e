/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.analyze.errortext;

import java.util.List;
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
  private static final String NAME = "(?:" + SECRET_WORDS + "|\\bpwd|\\bsig)[\\w.-]*+";
  // What follows a secret's name in texts: -Dsome.password=x, ?sig=x, "password" : "x", key -> x,
  // (some.key,x); in quotes it may have spaces.
  private static final Pattern ASSIGNED =
      Pattern.compile(
          "(?i)("
              + NAME
              + "\\\\?[\"']?\\s*+(?:=>|->|[=:]|%3D|,(?=\\S))\\s*+)(?!\\(redacted\\))"
              + "(?:\\\\?\"[^\"]*+\"?|'[^']*+'?|[^\\s,;&\"'\\\\]+)");
  // --password x, and "secret key is x" where x does not look like a word. The start is bounded: a
  // loop of groups would need a stack as deep as a hostile text is long.
  private static final Pattern OPTION =
      Pattern.compile(
          "(?i)((?<![\\w-])--?[\\w.-]{0,60}?" + NAME + "\\s+[\"']?)(?![-(])[^\\s,;&\"']+");
  private static final Pattern SAID =
      Pattern.compile(
          "(?i)(" + NAME + "(?:\\s+key)?\\s+(?:is|was)\\s+[\"']?)(?=\\S*\\d)[^\\s,;\"']{12,}");
  private static final Pattern HEADER =
      Pattern.compile(
          "(?i)(\\b(?:authorization|cookie)[\"']?\\s*+[=:]\\s*+[\"']?)"
              + "(?:(?:bearer|basic|digest|negotiate|aws4-hmac-sha256|aws)\\s+)?[^\\s,;\"')]+");
  private static final Pattern SCHEME =
      Pattern.compile("(?i)(\\bbearer\\s+)(?=\\S*[0-9.=])[\\w.~+/=-]{8,}");
  // Tokens that are known by how they begin: GitHub's, GitLab's, Slack's, Google's, Databricks',
  // JSON web tokens, and session tokens of AWS.
  private static final Pattern TOKEN =
      Pattern.compile(
          "\\b(?:gh[oprsu]_\\w{16,}|github_pat_\\w{16,}|glpat-[\\w-]{16,}|xox[abeprs]-[\\w-]{10,}"
              + "|AIza[\\w-]{30,}|dapi[0-9a-f]{32}|hf_\\w{30,}|eyJ[\\w-]{8,}\\.[\\w.-]+"
              + "|(?:FwoGZXIvYXdz|IQoJb3JpZ2lu)[\\w/+=%-]+)");
  private static final Pattern PRIVATE_KEY =
      Pattern.compile("(?s)-----BEGIN [A-Z ]*PRIVATE KEY-----.*");
  // A text that looks like an AWS secret key.
  private static final Pattern SECRET_KEY =
      Pattern.compile(
          "(?<![\\w/+=.-])(?=[^\\s]{0,39}[a-z])(?=[^\\s]{0,39}[A-Z])(?=[^\\s]{0,39}[0-9])"
              + "[A-Za-z0-9/+]{40}(?![\\w/+=.-])");
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
    String clean = USER_INFO.matcher(value).replaceAll("://" + GONE + "@");
    clean = PRIVATE_KEY.matcher(clean).replaceAll(GONE);
    clean = HEADER.matcher(clean).replaceAll("$1" + GONE);
    for (Pattern named : List.of(SCHEME, ASSIGNED, OPTION, SAID)) {
      clean = named.matcher(clean).replaceAll("$1" + GONE);
    }
    for (Pattern bare : List.of(ACCESS_KEY, TOKEN, SECRET_KEY)) {
      clean = bare.matcher(clean).replaceAll(GONE);
    }
    return clean;
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
