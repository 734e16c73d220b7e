/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.emulator.weather;

import io.penstock.s3model.S3Operation;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Says when a fault strikes. As text: {@code CompleteMultipartUpload#3=reset-after} (the third
 * request), {@code PutObject#2-4=500} (the second to the fourth), {@code GetObject@0.01=truncate}
 * (each request with this probability), {@code *@0.01=stall:5s-60s} (any operation, a stall between
 * these durations), {@code HeadObject=no-length} (each request). After the operation a condition on
 * the key may stand in brackets, see {@link KeyCondition}: {@code DeleteObject[table/p=1/]=403},
 * {@code *[segment>255]=bad-name}. Of a bulk delete, an error strikes only the keys that meet the
 * condition. Commas separate several rules.
 *
 * @param operation empty for any operation
 * @param key empty for any key
 * @param from number of the first matching request that is struck, counted from 1; 0 when the
 *     probability decides
 * @param to number of the last matching request that is struck
 * @param probability 0 when {@code from} and {@code to} decide
 */
public record FaultRule(
    Optional<S3Operation> operation,
    Optional<KeyCondition> key,
    long from,
    long to,
    double probability,
    Fault fault) {
  private static final Pattern FORM =
      Pattern.compile(
          "([A-Za-z0-9*]+)(?:\\[([^\\]]+)\\])?(?:#([0-9]{1,9})(?:-([0-9]{1,9}))?|@([0-9.]+))?=(.+)");

  /**
   * Parses rules that are separated by commas. An empty text gives no rules.
   *
   * @throws IllegalArgumentException when a rule is malformed; the message names it and the valid
   *     forms
   */
  public static List<FaultRule> parseAll(String text) {
    List<FaultRule> rules = new ArrayList<>();
    for (String piece : text.split("[,\\s]+", -1)) {
      if (!piece.isEmpty()) {
        rules.add(parse(piece));
      }
    }
    return rules;
  }

  private static FaultRule parse(String piece) {
    Matcher matcher = FORM.matcher(piece);
    if (!matcher.matches()) {
      throw new IllegalArgumentException(
          ("'%s' is not a fault rule; write OPERATION#N=FAULT, OPERATION#N-M=FAULT,"
                  + " OPERATION@PROBABILITY=FAULT or OPERATION=FAULT, after OPERATION maybe [KEY]"
                  + " with the beginning of a key, where FAULT is %s")
              .formatted(piece, Fault.ALLOWED));
    }
    try {
      Optional<S3Operation> operation = operation(matcher.group(1));
      Optional<KeyCondition> key = Optional.ofNullable(matcher.group(2)).map(KeyCondition::parse);
      Fault fault = Fault.parse(matcher.group(6));
      if (matcher.group(5) != null) {
        return new FaultRule(operation, key, 0, 0, probability(matcher.group(5)), fault);
      }
      if (matcher.group(3) == null) {
        return new FaultRule(operation, key, 1, Long.MAX_VALUE, 0, fault);
      }
      long from = Long.parseLong(matcher.group(3));
      long to = matcher.group(4) == null ? from : Long.parseLong(matcher.group(4));
      if (from < 1 || to < from) {
        throw new IllegalArgumentException("count requests from 1, and upward");
      }
      return new FaultRule(operation, key, from, to, 0, fault);
    } catch (IllegalArgumentException e) {
      throw new IllegalArgumentException("in '%s': %s".formatted(piece, e.getMessage()), e);
    }
  }

  /** Returns true if the rule is about this operation on this key. */
  boolean isAbout(S3Operation asked, String name, boolean isConditional) {
    return (operation.isEmpty() || operation.get() == asked)
        && (key.isEmpty() || key.get().matches(name, isConditional));
  }

  /** Returns true if the rule refuses single keys of a bulk delete. */
  boolean refusesKeys() {
    return key.isPresent()
        && fault.kind() == Fault.Kind.ERROR_BEFORE
        && (operation.isEmpty() || operation.get() == S3Operation.DELETE_OBJECTS);
  }

  private static Optional<S3Operation> operation(String name) {
    return name.equals("*") ? Optional.empty() : Optional.of(S3Operation.named(name));
  }

  private static double probability(String text) {
    double probability = text.matches("[0-9]*\\.?[0-9]+") ? Double.parseDouble(text) : -1;
    if (probability < 0 || probability > 1) {
      throw new IllegalArgumentException("'%s' is not a probability from 0 to 1".formatted(text));
    }
    return probability;
  }
}
