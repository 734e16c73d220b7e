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

  private final Map<String, DriverSection> sections = new LinkedHashMap<>();
  private final Set<String> logged = ConcurrentHashMap.newKeySet();

  public DriverHeartbeat(List<DriverSection> all) {
    all.forEach(section -> sections.put(section.name(), section));
  }

  /**
   * Answers a message. Called by many threads.
   *
   * @throws IOException when the message as a whole cannot be read
   */
  public Object receive(Object message) throws IOException {
    Envelope envelope = Envelope.of(message);
    Map<String, byte[]> answers = new LinkedHashMap<>();
    for (Map.Entry<String, byte[]> asked : envelope.sections().entrySet()) {
      DriverSection section = sections.get(asked.getKey());
      if (section == null) {
        logOnce(asked.getKey(), "this driver does not know it");
        continue;
      }
      try {
        answers.put(section.name(), section.answer(envelope.from(), asked.getValue()));
      } catch (IOException | RuntimeException e) {
        logOnce(section.name(), e.toString());
      }
    }
    return new Envelope("driver", answers).toBytes();
  }

  private void logOnce(String name, String why) {
    if (logged.size() < LOGGED_MAX && logged.add(name)) {
      LOG.warn("What executors say about '{}' is skipped: {}", name, why);
    }
  }
}
