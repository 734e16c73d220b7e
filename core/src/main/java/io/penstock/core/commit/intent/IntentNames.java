/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.core.commit.intent;

import io.penstock.core.commit.files.OutputTable;
import io.penstock.core.store.ListRequest;
import java.time.Instant;
import java.util.Locale;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Names the objects of the intents at one table:
 *
 * <pre>
 * _penstock_intent_ID.append      the intent of a job that may commit beside others
 * _penstock_intent_ID.alone       the intent of a job that must commit alone
 * _penstock_intent_ID.page-0001   a page of the files, if there are many
 * _penstock_intent_ID.replaces    what the job replaces; the job has passed the fence
 * _penstock_intent_ID.replaces-0001   a page of what the job replaces, if there is much
 * _penstock_intent_ID.lease       written again and again while the job is alive
 * _penstock_intent_ID.decision    whether the commit goes forward or back, or was taken back
 * _penstock_intent_ID.settling    the job has ended, but a PUT of a file may still arrive
 * _penstock_table_epoch           changes when a commit ends that changes no _SUCCESS here
 * </pre>
 *
 * <p>A leading underscore hides a name from Spark, Hive, Trino and Arrow.
 */
public record IntentNames(OutputTable table) {
  private static final String NAME = "_penstock_intent_";
  private static final String EPOCH = "_penstock_table_epoch";
  private static final String SETTLING = "settling";
  private static final Pattern NAMES =
      Pattern.compile(NAME + "([0-9TZ]{19}_[A-Za-z0-9.-]+)\\.([a-z]+)(?:-([0-9]{4,9}))?");

  /** Returns the id of the intent that the object belongs to, if it belongs to one. */
  public Optional<String> id(String key) {
    Matcher matcher = NAMES.matcher(name(key));
    return matcher.matches() ? Optional.of(matcher.group(1)) : Optional.empty();
  }

  /** Returns true if the object is the table's {@code _SUCCESS}. */
  boolean isMarker(String key) {
    return name(key).equals(SuccessMarker.NAME);
  }

  private String name(String key) {
    return key.substring(table.prefix().length());
  }

  /** Returns the request that lists the objects of all intents and the table's {@code _SUCCESS}. */
  ListRequest everything() {
    return ListRequest.level(table.prefix() + "_");
  }

  /** Returns the prefix of the keys of all objects of all intents. */
  public String all() {
    return table.prefix() + NAME;
  }

  /**
   * Returns a text behind which the keys of those intents are whose commits began then or later.
   */
  public String before(Instant time) {
    return all() + CommittingJob.timeText(time);
  }

  /** Returns the time at which the commit with that id began. */
  public static Instant began(String id) {
    return CommittingJob.time(id.substring(0, id.indexOf('_')));
  }

  /** Returns the prefix of the keys of all objects of the intent. */
  public String all(String id) {
    return key(id, "");
  }

  /** Returns the key of the intent itself. */
  public String head(String id, boolean isAlone) {
    return key(id, isAlone ? "alone" : "append");
  }

  String files(String id, int page) {
    return page(id, "page", page);
  }

  String replaces(String id) {
    return key(id, "replaces");
  }

  String replaces(String id, int page) {
    return page(id, "replaces", page);
  }

  String lease(String id) {
    return key(id, "lease");
  }

  String decision(String id) {
    return key(id, "decision");
  }

  /** Returns the key of the table's epoch, which is listed after all intents. */
  String epoch() {
    return table.prefix() + EPOCH;
  }

  /** Returns a name that no object has. */
  public static String probe(String id) {
    return NAME + id + ".probe";
  }

  /** Returns true if the object says what a job replaces, which has passed the fence then. */
  public boolean isOfReplaced(String key) {
    return key.matches(".*[.]replaces(-[0-9]+)?");
  }

  /** Returns true if the object is the decision about a commit. */
  public boolean isDecision(String key) {
    return key.endsWith(".decision");
  }

  /** Returns true if the object is a page of an intent's files, which are put before the intent. */
  public static boolean isPage(String key) {
    return key.matches(".*[.]page-[0-9]+");
  }

  /** Returns true if the object belongs to an intent, or is an epoch, at whatever table. */
  public static boolean isOne(String key) {
    String name = key.substring(key.lastIndexOf('/') + 1);
    return name.startsWith(NAME) || name.equals(EPOCH);
  }

  /** Returns true if the object is an intent itself, at whatever table. */
  public static boolean isHead(String key) {
    return isOne(key) && (key.endsWith(".append") || key.endsWith(".alone"));
  }

  String settling(String id) {
    return key(id, SETTLING);
  }

  /** Returns true if the object says that requests of an ended job may still arrive. */
  public static boolean isSettling(String key) {
    return key.endsWith("." + SETTLING);
  }

  /** Returns true if the object says so, at whatever table. */
  public static boolean isSettlingOne(String key) {
    return isOne(key) && isSettling(key);
  }

  private String page(String id, String kind, int number) {
    return key(id, kind + String.format(Locale.ROOT, "-%04d", number));
  }

  private String key(String id, String suffix) {
    return table.prefix() + NAME + id + "." + suffix;
  }
}
