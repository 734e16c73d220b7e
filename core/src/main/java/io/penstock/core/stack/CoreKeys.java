/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.core.stack;

import io.penstock.core.commit.intent.CommitConfig;
import io.penstock.core.commit.intent.InlineConfig;
import io.penstock.core.config.ConfigKey;
import io.penstock.core.config.KeySource;
import io.penstock.core.deadline.DeadlineConfig;
import io.penstock.core.flush.FlushedWriter;
import io.penstock.core.hedge.HedgeConfig;
import io.penstock.core.listing.ListConfig;
import io.penstock.core.metrics.RequestLog;
import io.penstock.core.pool.LanePool;
import io.penstock.core.rate.RateConfig;
import io.penstock.core.rate.aimd.AimdConfig;
import io.penstock.core.read.ReadConfig;
import io.penstock.core.retry.RetryConfig;
import io.penstock.core.upload.UploadConfig;
import java.util.ArrayList;
import java.util.List;

/** The configuration keys of the core module. */
final class CoreKeys implements KeySource {
  @Override
  public List<ConfigKey<?>> keys() {
    List<ConfigKey<?>> keys = new ArrayList<>(UploadConfig.KEYS);
    keys.addAll(ReadConfig.KEYS);
    keys.addAll(ListConfig.KEYS);
    keys.addAll(RetryConfig.KEYS);
    keys.addAll(RateConfig.KEYS);
    keys.addAll(HedgeConfig.KEYS);
    keys.addAll(DeadlineConfig.KEYS);
    keys.addAll(CommitConfig.KEYS);
    keys.addAll(InlineConfig.KEYS);
    keys.add(FlushedWriter.INTERVAL);
    keys.add(LanePool.THREADS);
    keys.add(RequestLog.DIRECTORY);
    return keys;
  }

  @Override
  public List<String> foreignNames() {
    List<String> names = new ArrayList<>(UploadConfig.FOREIGN);
    names.addAll(AimdConfig.SWITCHES);
    return names;
  }
}
