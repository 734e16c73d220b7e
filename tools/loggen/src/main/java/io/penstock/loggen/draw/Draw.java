/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.loggen.draw;

import io.penstock.loggen.chance.Mix;
import io.penstock.loggen.chance.Permutation;
import io.penstock.loggen.chance.Purpose;
import io.penstock.loggen.chance.ThrottleSampler;
import io.penstock.loggen.plan.Call;
import io.penstock.loggen.plan.Counts;
import io.penstock.loggen.plan.Plan;
import io.penstock.loggen.plan.TaskPlacement;
import java.util.EnumMap;
import java.util.Map;
import java.util.SplittableRandom;

/** Draws the requests of one chunk. */
public final class Draw {
  /** The time after which a client repeats a part, while the first attempt continues. */
  public static final int CLIENT_TIMEOUT_MILLIS = 10_000;

  private static final double OVERLAPPING = 0.003;
  private static final int THROTTLED_MILLIS_MIN = 5;
  private static final int THROTTLED_MILLIS_MAX = 90;
  private static final double BACKOFF_MILLIS = 100;
  private static final double BACKOFF_MILLIS_MAX = 5_000;
  private static final double NEXT_PART_MILLIS = 35;

  private final Plan plan;
  private final TaskPlacement fleet;
  private final Slowness slowness;
  private final CallBatch batch;
  private final WrittenCounts tally;
  private final double overlapping;
  private SplittableRandom random;

  /** Creates the draws of one chunk. */
  public Draw(Plan plan, TaskPlacement fleet, Slowness slowness, int chunk, WrittenCounts tally) {
    this.plan = plan;
    this.fleet = fleet;
    this.slowness = slowness;
    this.batch = new CallBatch(chunk);
    this.tally = tally;
    Counts counts = plan.counts();
    // The server delays some of the requests that it throttles. Their client meanwhile tries again.
    this.overlapping =
        OVERLAPPING * counts.requests(Call.PART) / Math.max(1, counts.throttled(Call.PART));
  }

  /** Returns the reads with these numbers. */
  public CallBatch reads(long from, long to) {
    random = new SplittableRandom(Mix.of(plan.options().seed(), Purpose.READ_KIND, from));
    Permutation kinds = new Permutation(plan.reads(), plan.options().seed());
    for (long read = from; read < to; read++) {
      Call call = kind(kinds.at(read));
      batch.add(plan.readMillis(read, random.nextDouble()), read, call, 0, ordinary(), false);
    }
    return batch;
  }

  private Call kind(long place) {
    long left = place;
    for (Call call : Call.READS) {
      left -= plan.counts().succeeded(call);
      if (left < 0) {
        return call;
      }
    }
    throw new IllegalArgumentException("there are fewer reads than " + place);
  }

  /** Returns the uploads of these files. */
  public CallBatch uploads(long from, long to) {
    for (long slice = from; slice < to; slice += Plan.SLICE_FILES) {
      slice(slice, Math.min(to, slice + Plan.SLICE_FILES));
    }
    return batch;
  }

  private void slice(long from, long to) {
    random = new SplittableRandom(Mix.of(plan.options().seed(), Purpose.SLICE, from));
    boolean hasHot = false;
    for (long file = from; file < to && !hasHot; file++) {
      hasHot = isHot(file);
    }
    Map<Call, ThrottleSampler> urns = new EnumMap<>(Call.class);
    for (Call call : Call.WRITES) {
      urns.put(call, urn(call, from, to, hasHot));
    }
    for (long file = from; file < to; file++) {
      upload(file, canBeThrottled(file, hasHot) ? urns : null);
    }
  }

  private ThrottleSampler urn(Call call, long from, long to, boolean hasHot) {
    long throttled = plan.throttledBefore(call, to) - plan.throttledBefore(call, from);
    long chains = 0;
    for (long file = from; file < to; file++) {
      chains += canBeThrottled(file, hasHot) ? plan.succeeded(call, file) : 0;
    }
    if (chains == 0) {
      // Too few files for exact counts of whole chains: log throttled attempts without a success.
      failedChain(from, call, throttled);
      throttled = 0;
    }
    return new ThrottleSampler(random, throttled, chains);
  }

  private void failedChain(long file, Call call, long throttled) {
    double at = plan.startMillis(file, 0.5);
    for (int i = 0; i < throttled; i++) {
      int millis = throttledMillis();
      batch.add(at, file, call, 1, millis, true);
      at += millis + backoffMillis(i);
    }
    if (throttled > 0) {
      tally.chain((int) throttled);
    }
  }

  /**
   * Returns true if requests of this file can be throttled. If no file is hot, all can. The one
   * upload that every generated log contains (a part that takes half a minute and is sent again) is
   * never throttled.
   */
  private boolean canBeThrottled(long file, boolean hasHot) {
    return !isSeedCase(file) && (!hasHot || isHot(file));
  }

  private boolean isSeedCase(long file) {
    return file == plan.seedFile() && !plan.isTail();
  }

  /**
   * Returns true for every file of the first prefix, and for a random quarter of the files of the
   * other prefixes. So the first prefix is throttled most. The file of the seed case is never hot.
   */
  private boolean isHot(long file) {
    return !isSeedCase(file)
        && (fleet.prefix(file) == 0
            || (Mix.of(plan.options().seed(), Purpose.PREFIX, ~file) & 3) == 0);
  }

  private void upload(long file, Map<Call, ThrottleSampler> urns) {
    double at = plan.startMillis(file, random.nextDouble());
    if (file == plan.seedFile()) {
      at = Plan.SEED_CASE_MILLIS - 20;
      if (!plan.isTail()) {
        seedCase(file, at);
        return;
      }
    }
    at = calls(Call.CREATE, file, at, urns);
    at = plan.isTail() ? slowParts(file, at) : parts(file, at, urns);
    calls(Call.COMPLETE, file, at, urns);
  }

  /**
   * Adds the attempts of one call for a file. The plan says how many of them succeed: usually one,
   * sometimes two, so that the totals match the published numbers.
   */
  private double calls(Call call, long file, double start, Map<Call, ThrottleSampler> urns) {
    double at = start;
    for (int i = plan.succeeded(call, file); i > 0; i--) {
      boolean isQuick = file == plan.seedFile();
      at = chain(call, file, 1, at, urns, isQuick ? 30 : ordinary());
    }
    return at;
  }

  private double parts(long file, double start, Map<Call, ThrottleSampler> urns) {
    int parts = plan.succeeded(Call.PART, file);
    double end = start;
    for (int part = 1; part <= parts; part++) {
      double at = start + (part - 1) * NEXT_PART_MILLIS;
      end = Math.max(end, chain(Call.PART, file, part, at, urns, ordinary()));
    }
    return end;
  }

  private double chain(
      Call call,
      long file,
      int part,
      double start,
      Map<Call, ThrottleSampler> urns,
      int lastMillis) {
    int throttled = urns == null ? 0 : urns.get(call).next();
    double at = start;
    for (int i = 0; i < throttled; i++) {
      if (call == Call.PART && random.nextDouble() < overlapping) {
        int held = CLIENT_TIMEOUT_MILLIS + 1 + random.nextInt(2 * CLIENT_TIMEOUT_MILLIS);
        batch.add(at, file, call, part, held, true);
        tally.overlap();
        at += CLIENT_TIMEOUT_MILLIS;
      } else {
        int millis = throttledMillis();
        batch.add(at, file, call, part, millis, true);
        at += millis + backoffMillis(i);
      }
    }
    batch.add(at, file, call, part, lastMillis, false);
    tally.chain(throttled + 1);
    return at + lastMillis + 1;
  }

  /**
   * Adds the parts of a file. A slow attempt is followed by another attempt. Each success that the
   * plan counts becomes one attempt, slow or not, so the log has exactly the measured number of
   * slow attempts.
   */
  private double slowParts(long file, double start) {
    long first = plan.succeededBefore(Call.PART, file);
    int attempts = plan.succeeded(Call.PART, file);
    int[] millis = new int[attempts];
    for (int i = 0; i < attempts; i++) {
      millis[i] = slowness.ofPart(first + i, random.nextDouble());
    }
    if (attempts > 1 && millis[attempts - 1] > CLIENT_TIMEOUT_MILLIS) {
      int slow = millis[attempts - 1];
      millis[attempts - 1] = millis[0];
      millis[0] = slow;
    }
    double end = start;
    int part = 1;
    int tries = 1;
    double at = start;
    for (int i = 0; i < attempts; i++) {
      batch.add(at, file, Call.PART, part, millis[i], false);
      if (millis[i] > CLIENT_TIMEOUT_MILLIS && i < attempts - 1) {
        tally.overlap();
        tries++;
        at += CLIENT_TIMEOUT_MILLIS;
      } else {
        tally.chain(tries);
        tries = 1;
        end = Math.max(end, at + millis[i]);
        at = start + part * NEXT_PART_MILLIS;
        part++;
      }
    }
    return end + 1;
  }

  /** Adds a part that takes half a minute, and its second attempt ten seconds after the first. */
  private void seedCase(long file, double start) {
    double at = calls(Call.CREATE, file, start, null);
    int lasts = 29_640;
    batch.add(at, file, Call.PART, 1, lasts, false);
    tally.overlap();
    at += CLIENT_TIMEOUT_MILLIS;
    for (int part = 1; part <= plan.succeeded(Call.PART, file); part++) {
      batch.add(at, file, Call.PART, part, 184, false);
      tally.chain(part == 1 ? 2 : 1);
    }
    calls(Call.COMPLETE, file, at + 200, null);
  }

  private int ordinary() {
    return slowness.ordinary(random);
  }

  private int throttledMillis() {
    return random.nextInt(THROTTLED_MILLIS_MIN, THROTTLED_MILLIS_MAX + 1);
  }

  private double backoffMillis(int retry) {
    double full = Math.min(BACKOFF_MILLIS_MAX, BACKOFF_MILLIS * (1L << Math.min(retry, 20)));
    return full * (0.5 + random.nextDouble());
  }
}
