/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.s3.answers;

import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * The keys of a bulk delete that its answer has not named yet. A store may name a key in another
 * form: without its leading slash (MinIO), with other line ends (an XML parser changes those that
 * are not escaped), or URL-encoded. Such a form counts only if no key of the request has it.
 */
public final class NamedKeys {
  private final Set<String> asked;
  private final Set<String> rest;
  private Map<String, String> byForm;

  public NamedKeys(List<String> asked) {
    this.asked = Set.copyOf(asked);
    this.rest = new LinkedHashSet<>(asked);
  }

  /**
   * Records that the answer names a key.
   *
   * @return the key of the request that is meant, or the name itself if there is none
   */
  public String named(String name) {
    String given = name == null ? "" : name;
    String key = asked.contains(given) ? given : meantBy(given);
    rest.remove(key);
    return key;
  }

  /** Returns the keys that the answer does not name in any form, in the order of the request. */
  public List<String> rest() {
    return List.copyOf(rest);
  }

  private String meantBy(String name) {
    if (byForm == null) {
      byForm = new HashMap<>();
      asked.forEach(key -> byForm.put(form(key), key));
    }
    String key = byForm.get(form(name));
    return key != null ? key : byForm.getOrDefault(form(decoded(name)), name);
  }

  private static String form(String key) {
    int start = 0;
    while (start < key.length() && key.charAt(start) == '/') {
      start++;
    }
    return key.substring(start).replace("\r\n", "\n").replace('\r', '\n');
  }

  private static String decoded(String name) {
    try {
      return URLDecoder.decode(name, StandardCharsets.UTF_8);
    } catch (IllegalArgumentException e) {
      return name;
    }
  }
}
