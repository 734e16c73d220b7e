/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.analyze.advice.rules;

import io.penstock.analyze.advice.whatif.FileWhatIf;
import io.penstock.analyze.advice.whatif.TailWhatIf;
import io.penstock.analyze.advice.whatif.Waiting;
import io.penstock.analyze.analysis.Analysis;
import io.penstock.analyze.engine.QueryEngine;
import io.penstock.tables.Table;
import java.io.IOException;
import java.util.HashMap;
import java.util.Map;

/** The queries of the rules. Each query runs once, even if several rules use it. */
final class Queries {
  private final QueryEngine engine;
  private final Map<String, Analysis> known = new HashMap<>();
  private final Map<String, Table> answers = new HashMap<>();

  Queries(QueryEngine engine) {
    this.engine = engine;
    for (Analysis shared :
        new Analysis[] {TailWhatIf.LATENCIES, FileWhatIf.FILES, FileWhatIf.LOAD, Waiting.QUERY}) {
      known.put(shared.name(), shared);
    }
  }

  Analysis query(String name) {
    return known.computeIfAbsent(name, id -> Analysis.named(Queries.class, id + ".sql"));
  }

  Table answer(String name) throws IOException {
    Table answer = answers.get(name);
    if (answer == null) {
      answer = query(name).run(engine);
      answers.put(name, answer);
    }
    return answer;
  }
}
