/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.emulator.api;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** The decoded query of a request. */
public record Query(List<Parameter> parameters) {
  /** One parameter of the query. A parameter without {@code =} has the value {@code ""}. */
  public record Parameter(String name, String value) {}

  public Query {
    parameters = List.copyOf(parameters);
  }

  /**
   * Splits a query into its parameters and decodes them.
   *
   * @throws IllegalArgumentException when an escape is malformed
   */
  static Query parse(String raw) {
    List<Parameter> parameters = new ArrayList<>();
    for (String piece : raw.split("&", -1)) {
      if (!piece.isEmpty()) {
        int equals = piece.indexOf('=');
        String name = equals < 0 ? piece : piece.substring(0, equals);
        String value = equals < 0 ? "" : piece.substring(equals + 1);
        parameters.add(new Parameter(UrlText.decode(name, true), UrlText.decode(value, true)));
      }
    }
    return new Query(parameters);
  }

  public boolean has(String name) {
    return first(name).isPresent();
  }

  public Optional<String> first(String name) {
    return parameters.stream()
        .filter(parameter -> parameter.name().equals(name))
        .map(Parameter::value)
        .findFirst();
  }

  /** Returns the value of a parameter, or the empty string when the query does not contain it. */
  public String get(String name) {
    return first(name).orElse("");
  }
}
