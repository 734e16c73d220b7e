/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.s3;

import static org.assertj.core.api.Assertions.assertThat;

import io.penstock.core.caller.Caller;
import io.penstock.core.caller.Origin;
import io.penstock.core.config.Settings;
import io.penstock.core.request.Context;
import io.penstock.core.request.Request;
import io.penstock.core.request.ThreadEnd;
import io.penstock.core.store.ObjectStore;
import io.penstock.core.store.Operation;
import io.penstock.s3.RecordingServer.Answer;
import java.io.IOException;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class AuditRefererTest {
  private static final String NUMBER = "[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}";

  private RecordingServer server;

  @BeforeEach
  void openTheServer() throws IOException {
    server =
        RecordingServer.answering(
            request -> Answer.ok("").with("ETag", "\"e\"").with("Content-Length", "0"));
  }

  @AfterEach
  void closeTheServer() {
    Caller.endTask();
    server.close();
  }

  @Test
  void aRequestOfATaskNamesItInTheFormOfS3a() throws IOException {
    Origin.Task task = new Origin.Task(3, 1, 12, 417);
    String referer =
        refererOf(new Origin("app-2026-0001", OptionalLong.of(7), Optional.of(task)), Map.of());

    assertThat(referer)
        .matches(
            "https://audit\\.example\\.org/hadoop/1/op_head/(NUMBER-1)/\\?op=op_head&id=NUMBER-1&ps=NUMBER&ts=[0-9]{13}&ap=app-2026-0001&qe=7&sa=1&ta=attempt_0_0003_m_000012_417"
                .replace("NUMBER", NUMBER));
  }

  @Test
  void aRequestOfTheDriverHasNoTask() throws IOException {
    assertThat(refererOf(new Origin("local-1", OptionalLong.empty(), Optional.empty()), Map.of()))
        .endsWith("&ap=local-1");
    assertThat(refererOf(Origin.NONE, Map.of())).doesNotContain("&ap=");
  }

  @Test
  void aStrangeNameNeitherEscapesNorGrows() throws IOException {
    Origin strange =
        new Origin(
            "a\"\r\nX: <b>&qe=1" + "ü".repeat(5_000), OptionalLong.empty(), Optional.empty());

    assertThat(refererOf(strange, Map.of()))
        .contains("&ap=a___X___b__qe_1___")
        .hasSizeLessThanOrEqualTo(1_000);
  }

  @Test
  void aSettingTurnsItOff() throws IOException {
    assertThat(refererOf(Origin.NONE, Map.of("penstock.audit.referer", "false"))).isNull();
    assertThat(refererOf(Origin.NONE, Map.of("fs.s3a.audit.referrer.enabled", "false"))).isNull();
    assertThat(refererOf(Origin.NONE, Map.of("fs.s3a.audit.enabled", "false"))).isNull();
    Map<String, String> both =
        Map.of("fs.s3a.audit.enabled", "false", "fs.s3a.audit.referrer.enabled", "true");
    assertThat(refererOf(Origin.NONE, both)).isNull();
    Map<String, String> ours =
        Map.of("fs.s3a.audit.enabled", "false", "penstock.audit.referer", "true");
    assertThat(refererOf(Origin.NONE, ours)).isNotNull();
  }

  private String refererOf(Origin origin, Map<String, String> more) throws IOException {
    Map<String, String> settings = new HashMap<>(more);
    settings.put("penstock.endpoint", server.http());
    settings.put("penstock.region", "us-east-1");
    settings.put("penstock.access.key", "AKIA");
    settings.put("penstock.secret.key", "hidden");
    Caller.beginTask(origin);
    try (ObjectStore store = TestStores.open("lake", Settings.of(settings))) {
      new ThreadEnd()
          .send(
              Request.of(Operation.HEAD, "lake", "a"),
              Context.of(Caller.current()),
              context -> store.head("a"));
    }
    assertThat(server.last().header("Authorization"))
        .as("a proxy may take the header away")
        .doesNotContain("referer");
    return server.last().header("Referer");
  }
}
