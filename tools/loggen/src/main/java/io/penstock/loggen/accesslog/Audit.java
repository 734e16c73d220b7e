/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.loggen.accesslog;

import io.penstock.loggen.draw.CallBatch;
import io.penstock.loggen.plan.Call;
import io.penstock.loggen.plan.JobIdentity;
import io.penstock.loggen.plan.Plan;
import io.penstock.loggen.plan.TaskPlacement;
import io.penstock.loggen.text.LineBuffer;
import io.penstock.loggen.text.Words;
import java.util.EnumMap;
import java.util.Map;

/** Writes the referer that S3A sends with each request to identify its origin. */
final class Audit {
  private static final String JOB = JobIdentity.stamp() + "_0001";

  private final Words words;
  private final Map<Call, byte[]> starts = new EnumMap<>(Call.class);
  private final Map<Call, byte[]> queries = new EnumMap<>(Call.class);

  Audit(Words words) {
    this.words = words;
    for (Call call : Call.values()) {
      String operation = call.fileSystemCall();
      starts.put(call, LineBuffer.bytes("https://audit.example.org/hadoop/1/" + operation + "/"));
      queries.put(call, LineBuffer.bytes("/?op=" + operation + "&p1="));
    }
  }

  void referer(LineBuffer line, CallBatch batch, int index) {
    Call call = batch.call(index);
    int node = words.node(batch, index);
    line.put(starts.get(call));
    span(line, batch, index, node);
    line.put(queries.get(call));
    if (words.hasKey(call)) {
      words.key(line, batch, index, true);
    } else {
      line.put(JobIdentity.INPUT);
    }
    line.put("&pr=").put(JobIdentity.USER).put("&ps=");
    words.process(line, node);
    if (call == Call.GET) {
      long start = words.rangeStart(batch.subject(index));
      line.put("&rg=").number(start).put('-');
      line.number(start + words.rangeBytesOf(batch.subject(index)) - 1);
    }
    line.put("&id=");
    span(line, batch, index, node);
    int thread = 40 + (int) (batch.subject(index) & 31);
    line.put("&t0=").number(thread).put("&fs=");
    words.process(line, node + TaskPlacement.NODES + 1);
    line.put("&t1=").number(thread + 64);
    line.put("&ts=").number(Plan.START.toEpochMilli() + batch.millis(index));
    if (node >= 0) {
      line.put("&ji=job_").put(JOB).put("&ta=attempt_").put(JOB).put("_m_");
      line.padded(words.task(batch, index), 6).put("_0");
    }
  }

  /** Writes the span. All requests of a file belong to one span. */
  private void span(LineBuffer line, CallBatch batch, int index, int node) {
    words.process(line, node);
    line.put('-').padded(batch.subject(index), 8);
  }
}
