/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.doctor.machine;

import java.util.ArrayList;
import java.util.List;

/**
 * The settings in {@code /etc/resolv.conf}, as glibc reads it.
 *
 * @param ndots for names with fewer dots than this, the search list is tried before the name itself
 */
public record ResolvConf(List<String> nameservers, List<String> search, int ndots) {
  /** The limit that glibc applies to ndots. */
  private static final int MOST_NDOTS = 15;

  public ResolvConf {
    nameservers = List.copyOf(nameservers);
    search = List.copyOf(search);
  }

  public static ResolvConf parse(String text) {
    List<String> nameservers = new ArrayList<>();
    List<String> search = new ArrayList<>();
    int ndots = 1;
    for (String line : text.split("\n", -1)) {
      String[] words = line.strip().split("\\s+", -1);
      switch (words[0]) {
        case "nameserver" -> {
          if (words.length > 1) {
            nameservers.add(words[1]);
          }
        }
        case "search", "domain" -> {
          search.clear(); // the last one counts
          search.addAll(List.of(words).subList(1, words.length));
        }
        case "options" -> {
          for (String word : words) {
            ndots = ndotsOf(word, ndots);
          }
        }
        default -> {
          // comments, sortlist
        }
      }
    }
    search.removeIf(domain -> domain.equals("."));
    return new ResolvConf(nameservers, search, ndots);
  }

  private static int ndotsOf(String option, int otherwise) {
    return option.matches("ndots:\\d{1,3}")
        ? Math.min(MOST_NDOTS, Integer.parseInt(option.substring("ndots:".length())))
        : otherwise;
  }

  /** Returns the names that a resolver tries without success before the name itself. */
  public List<String> before(String host) {
    long dots = host.chars().filter(c -> c == '.').count();
    boolean isAbsolute = host.endsWith(".");
    return isAbsolute || dots >= ndots
        ? List.of()
        : search.stream().map(domain -> host + "." + domain).toList();
  }
}
