/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.doctor.machine;

import java.util.Arrays;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Reads the mounted filesystems from the text of {@code /proc/mounts}. */
final class Mounts {
  private static final Pattern OCTAL = Pattern.compile("\\\\([0-7]{3})");

  private final String text;

  Mounts(String text) {
    this.text = text;
  }

  /**
   * One mounted filesystem.
   *
   * @param options in their order; an option without a value has an empty value
   */
  record Mount(String device, String point, String type, Map<String, String> options) {
    boolean isNfs() {
      return type.equals("nfs") || type.equals("nfs4");
    }

    /** Returns true if the server is EFS, or the local proxy that AWS's mount helper runs. */
    boolean isEfs() {
      return isNfs()
          && (device.matches("(?i)(?:.*\\.)?fs-[0-9a-f]{8,}\\.efs\\..*")
              || (device.startsWith("127.0.0.1:") && options.containsKey("port")));
    }
  }

  /** Returns the filesystem that contains an absolute path. */
  Optional<Mount> of(String path) {
    // A later mount at the same point hides the earlier one, so the last of the longest points is
    // used.
    return Arrays.stream(text.split("\n", -1))
        .map(line -> line.split(" ", -1))
        .filter(parts -> parts.length >= 4)
        .map(Mounts::mount)
        .filter(mount -> isAt(path, mount.point()))
        .reduce(
            (a, b) ->
                Comparator.comparingInt((Mount m) -> m.point().length()).compare(a, b) > 0 ? a : b);
  }

  private static boolean isAt(String path, String point) {
    String below = point.endsWith("/") ? point : point + "/";
    return path.equals(point) || path.startsWith(below);
  }

  private static Mount mount(String[] parts) {
    Map<String, String> options = new LinkedHashMap<>();
    for (String option : parts[3].split(",", -1)) {
      int equals = option.indexOf('=');
      options.put(
          equals < 0 ? option : option.substring(0, equals),
          equals < 0 ? "" : option.substring(equals + 1));
    }
    return new Mount(unescaped(parts[0]), unescaped(parts[1]), parts[2], options);
  }

  private static String unescaped(String text) {
    return OCTAL
        .matcher(text)
        .replaceAll(
            match ->
                Matcher.quoteReplacement(
                    String.valueOf((char) Integer.parseInt(match.group(1), 8))));
  }
}
