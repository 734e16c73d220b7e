/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.spark.heartbeat;

import java.io.IOException;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Answers the executors' messages, section by section. A section that is unknown here, or that
 * cannot be read, is skipped and logged once; the others are answered.
 */
public final class DriverHeartbeat {
  private static final Logger LOG = LoggerFactory.getLogger(DriverHeartbeat.class);

  /** More names than any version of Penstock has; a strange sender must not fill the memory. */
  private static final int LOGGED_MAX = 100;

  private static final String DRIVER = "driver";

  private final Map<String, DriverSection> sections = new LinkedHashMap<>();
  private final Set<String> logged = ConcurrentHashMap.newKeySet();

  public DriverHeartbeat(List<DriverSection> all) {
    all.forEach(section -> sections.put(section.name(), section));
  }

  /**
   * Answers a message. A message that cannot be read gets an answer without sections, which its
   * sender understands if it is of this version, and refuses by name otherwise. Returns null for
   * the last message of an executor.
   */
  public Object receive(Object message) throws IOException {
    Envelope envelope;
    try {
      envelope = Envelope.of(message);
    } catch (IOException e) {
      logOnce("a message", "an executor", e);
      return new Envelope(DRIVER, Map.of()).toBytes();
    }
    Map<String, byte[]> answers = new LinkedHashMap<>();
    for (Map.Entry<String, byte[]> asked : envelope.sections().entrySet()) {
      DriverSection section = sections.get(asked.getKey());
      if (section == null) {
        Exception unknown = new IOException("this driver does not know this kind of message");
        logOnce(asked.getKey(), envelope.from(), unknown);
        continue;
      }
      try {
        answers.put(section.name(), section.answer(envelope.from(), asked.getValue()));
      } catch (Exception | LinkageError e) {
        logOnce(section.name(), envelope.from(), e);
      }
    }
    // Spark warns about an answer to a message whose sender does not wait for one.
    boolean isLast = envelope.sections().containsKey(ExecutorHeartbeat.LAST);
    return isLast ? null : new Envelope(DRIVER, answers).toBytes();
  }

  private void logOnce(String name, String executor, Throwable why) {
    if (logged.size() < LOGGED_MAX && logged.add(name + " " + why.getClass())) {
      LOG.warn(
          "A message of executor {} about '{}' is ignored: {}",
          executor,
          name,
          why.toString(),
          why);
    }
  }
}
