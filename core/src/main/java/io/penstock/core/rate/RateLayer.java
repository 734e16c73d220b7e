/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.core.rate;

import io.penstock.core.caller.Wait;
import io.penstock.core.metrics.RequestEvent;
import io.penstock.core.metrics.RequestEvents;
import io.penstock.core.metrics.StoreMetrics;
import io.penstock.core.rate.law.Pacer;
import io.penstock.core.rate.report.GroupId;
import io.penstock.core.rate.report.Traffic;
import io.penstock.core.request.Context;
import io.penstock.core.request.Exchange;
import io.penstock.core.request.Layer;
import io.penstock.core.request.Partial;
import io.penstock.core.request.Request;
import io.penstock.core.request.ThrottleAdvice;
import io.penstock.core.store.StoreException;
import io.penstock.core.store.StoreException.Kind;
import io.penstock.core.time.Time;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.time.Duration;
import java.util.Collection;
import java.util.EnumMap;
import java.util.Map;

/**
 * Sends each request when its pacer allows it, and reports the result to the pacer. All requests of
 * the process that wait for the same partition, from any chain, wait in one queue in their order of
 * arrival. A waiting request holds no connection.
 *
 * <p>A request that waits longer than {@link RateConfig#waitMax} fails with an IOException that is
 * no StoreException, so that it is not repeated. A second attempt fails with {@code THROTTLED} when
 * several others wait already, and a cut one with {@code CONNECTION_LOST}; neither was sent then.
 * After the store has refused an attempt, the attempt has the {@link ThrottleAdvice} of its pacer.
 */
public final class RateLayer implements Layer {
  /**
   * A waiting request checks this often whether a new lease allows more, or whether it was
   * cancelled.
   */
  private static final long LOOK_NANOS = 50_000_000;

  /**
   * Most second attempts that may wait for permits of one partition. More would only use up the
   * threads that other buckets' second attempts need: where permits are scarce, an attempt is
   * seldom slow by chance.
   */
  private static final int BESIDE_WAITING_MAX = 4;

  private final Layer inner;
  private final RateConfig config;
  private final Time time;
  private final StoreMetrics metrics;
  private final RequestEvents events;
  private final Map<Traffic, RateControl.Member> members = new EnumMap<>(Traffic.class);

  /**
   * @param bucket the bucket of all requests
   */
  public RateLayer(
      Layer inner,
      String bucket,
      RateControl control,
      RateConfig config,
      Time time,
      StoreMetrics metrics,
      RequestEvents events) {
    this(inner, bucket, control, config, false, time, metrics, events);
  }

  /** Returns what gives permits to requests that others send, and has no settings of its own. */
  public static RateLayer ofGuest(
      String bucket,
      RateControl control,
      RateConfig config,
      Time time,
      StoreMetrics metrics,
      RequestEvents events) {
    return new RateLayer(Layer.END, bucket, control, config, true, time, metrics, events);
  }

  private RateLayer(
      Layer inner,
      String bucket,
      RateControl control,
      RateConfig config,
      boolean isGuest,
      Time time,
      StoreMetrics metrics,
      RequestEvents events) {
    this.inner = inner;
    this.config = config;
    this.time = time;
    this.metrics = metrics;
    this.events = events;
    for (Traffic traffic : Traffic.values()) {
      GroupId id = new GroupId(bucket, traffic);
      members.put(
          traffic,
          isGuest
              ? control.joinAsGuest(id, config, time.nowNanos())
              : control.join(id, config, time.nowNanos()));
    }
  }

  /** Returns how many partitions have waiting requests. */
  int queues() {
    return members.values().stream().mapToInt(member -> member.gates().size()).sum();
  }

  @Override
  public <T> T send(Request<T> request, Context context, Exchange<T> exchange) throws IOException {
    Pacer pacer = pacer(request);
    long sent = admitted(request, context, pacer, config.waitMax());
    try {
      T answer = inner.send(request, context, exchange);
      answered(request, context, pacer, sent, answer);
      return answer;
    } catch (StoreException e) {
      failed(e, request, pacer, sent);
      context.attempt().advise(advice(request));
      throw e;
    } catch (IOException | RuntimeException | Error e) {
      pacer.lost(time.nowNanos());
      throw e;
    }
  }

  /**
   * Waits for the permit of a request that somebody else sends.
   *
   * @param waitMax how long; zero for not at all
   * @return is told how the request ended
   * @throws IOException after that time, or an InterruptedIOException
   */
  public Permit permit(Request<?> request, Context context, Duration waitMax) throws IOException {
    Pacer pacer = pacer(request);
    return new Permit(request, pacer, admitted(request, context, pacer, waitMax));
  }

  /** A permit that was given. Exactly one of the methods is called, once. */
  public final class Permit {
    private final Request<?> request;
    private final Pacer pacer;
    private final long sent;

    private Permit(Request<?> request, Pacer pacer, long sent) {
      this.request = request;
      this.pacer = pacer;
      this.sent = sent;
    }

    /** The store has answered as it should. */
    public void answered() {
      pacer.answered(sent, time.nowNanos(), request.permits(), false);
    }

    /** The store has refused, or nobody knows what it did. */
    public void failed(StoreException e) {
      RateLayer.this.failed(e, request, pacer, sent);
    }
  }

  /** Waits for the permit, and returns the time at which it was given, in nanoseconds. */
  private long admitted(Request<?> request, Context context, Pacer pacer, Duration waitMax)
      throws IOException {
    long arrived = time.nowNanos();
    pacer.arrive(arrived);
    FifoGate gate = member(request).gates().at(pacer.partition());
    boolean isTaken = false;
    try {
      if (!gate.isFree() || pacer.take(arrived, request.permits()) != 0) {
        if (waitMax.isZero()) {
          throw new IOException(request.operation() + " " + request.object() + ": no permit now");
        }
        try {
          new Admission(request, context, pacer, gate, waitMax).await(arrived);
          isTaken = true;
        } catch (StoreException e) {
          throw e; // It was refused a place in the queue, or is not wanted any more.
        } catch (IOException e) {
          told(request, context, arrived);
          throw e;
        }
        told(request, context, arrived);
        return time.nowNanos();
      }
      isTaken = true;
      return arrived;
    } finally {
      if (!isTaken) {
        pacer.leave(time.nowNanos());
      }
    }
  }

  /** Records the wait since then, also one that was in vain. */
  private void told(Request<?> request, Context context, long arrived) {
    long nanos = time.nowNanos() - arrived;
    metrics.waited(nanos);
    metrics
        .accounts()
        .addWait(
            request.operation(), request.bucket(), request.key(), context.caller().origin(), nanos);
    events.tell(
        () ->
            RequestEvent.wait(
                time.now().minusNanos(nanos),
                request.operation(),
                request.bucket(),
                request.key(),
                nanos,
                context.caller().origin()));
  }

  private Pacer pacer(Request<?> request) {
    return member(request).group(time.nowNanos()).pacerOf(request.key());
  }

  private RateControl.Member member(Request<?> request) {
    return members.get(Traffic.of(request.operation()));
  }

  /** Returns the advice of now: the key may have another pacer than when the request was sent. */
  private ThrottleAdvice advice(Request<?> request) {
    Pacer pacer = pacer(request);
    return new ThrottleAdvice(pacer.repeat(), pacer.crowd());
  }

  /** Returns a layer that takes no permits and sends at once, but advises after a failure. */
  public Layer withoutPermits() {
    return new Layer() {
      @Override
      public <T> T send(Request<T> request, Context context, Exchange<T> exchange)
          throws IOException {
        try {
          return exchange.send(context);
        } catch (StoreException e) {
          context.attempt().advise(advice(request));
          throw e;
        }
      }
    };
  }

  /**
   * Reports an answer to the pacer. S3 counts each key of a bulk delete as a request, and lists the
   * keys that it throttled in a successful answer.
   */
  private <T> void answered(Request<T> request, Context context, Pacer pacer, long sent, T answer) {
    if (!(request.resolution() instanceof Partial<T> partial)) {
      pacer.answered(sent, time.nowNanos(), request.permits(), false);
      return;
    }
    Collection<StoreException> failed = partial.failures(answer).values();
    long throttled = failed.stream().filter(e -> e.kind() == Kind.THROTTLED).count();
    double ok = Math.max(0, request.keys().size() - throttled);
    pacer.answered(sent, time.nowNanos(), ok, (double) throttled);
    if (!failed.isEmpty()) {
      context.attempt().advise(advice(request));
    }
  }

  /**
   * Reports a failure to the pacer. If the network lost the request, the failure says nothing about
   * the store. A throttled request counts once, however many keys it has: none was looked at.
   */
  private void failed(StoreException e, Request<?> request, Pacer pacer, long sent) {
    boolean isThrottled = e.kind() == Kind.THROTTLED;
    if (e.kind() == Kind.UNREACHABLE || e.kind() == Kind.CONNECTION_LOST) {
      pacer.lost(time.nowNanos());
    } else {
      pacer.answered(sent, time.nowNanos(), isThrottled ? 1 : request.permits(), isThrottled);
    }
  }

  /** The wait of one attempt for its permit. */
  private final class Admission {
    private final Request<?> request;
    private final Context context;
    private final Pacer pacer;
    private final FifoGate gate;
    private final Duration waitMax;

    Admission(Request<?> request, Context context, Pacer pacer, FifoGate gate, Duration waitMax) {
      this.request = request;
      this.context = context;
      this.pacer = pacer;
      this.gate = gate;
      this.waitMax = waitMax;
    }

    void await(long arrived) throws IOException {
      try {
        context.caller().waits(Wait.FOR_PERMIT, () -> passed(arrived));
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
        throw new InterruptedIOException(named() + ": interrupted while waiting for a permit");
      }
    }

    private void passed(long arrived) throws IOException, InterruptedException {
      long end = arrived + waitMax.toNanos();
      try {
        gate.enter(
            context.attempt().isBeside(),
            LOOK_NANOS,
            () -> {
              check(end);
              refuseManyBeside();
            });
        long wait;
        while ((wait = pacer.take(time.nowNanos(), request.permits())) > 0) {
          check(end);
          time.sleep(Duration.ofNanos(Math.min(wait, LOOK_NANOS)));
        }
      } finally {
        gate.leave();
      }
    }

    private void refuseManyBeside() throws StoreException {
      if (context.attempt().isBeside() && !gate.isAmongFirstBeside(BESIDE_WAITING_MAX)) {
        throw failure(Kind.THROTTLED, "too many other second attempts already wait for permits.");
      }
    }

    private void check(long end) throws IOException {
      context.caller().check();
      if (context.attempt().cutBecause().isPresent()) {
        throw failure(
            Kind.CONNECTION_LOST, "the attempt was cut short while it waited for a permit.");
      }
      if (time.nowNanos() > end) {
        throw new IOException(
            ("%s: gave up after waiting %d s for a permit; rate control currently gives %.1f"
                    + " permits a second. %s. See docs/troubleshooting.md#throttled")
                .formatted(
                    named(),
                    waitMax.toSeconds(),
                    pacer.rate(),
                    pacer.isAtCeiling()
                        ? "Raise penstock.rate.max and penstock.rate.cluster.max"
                        : "Write under more prefixes, or with fewer executors"));
      }
    }

    private StoreException failure(Kind kind, String sentence) {
      return StoreException.of(kind, request.operation(), request.object(), sentence);
    }

    private String named() {
      return request.operation() + " " + request.object();
    }
  }
}
