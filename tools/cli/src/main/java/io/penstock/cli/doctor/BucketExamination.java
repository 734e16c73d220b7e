/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.cli.doctor;

import io.penstock.cli.store.ThisProcess;
import io.penstock.core.config.ConfigException;
import io.penstock.core.config.Settings;
import io.penstock.core.stack.StoreStack;
import io.penstock.core.store.ObjectStore;
import io.penstock.core.store.Reach;
import io.penstock.core.time.Time;
import io.penstock.doctor.Check;
import io.penstock.doctor.CheckOutcome;
import io.penstock.doctor.Doctor;
import io.penstock.doctor.bucket.ConditionalWriteCheck;
import io.penstock.doctor.bucket.CredentialsCheck;
import io.penstock.doctor.bucket.ListCheck;
import io.penstock.doctor.bucket.LoggingCheck;
import io.penstock.doctor.bucket.PermissionsCheck;
import io.penstock.doctor.bucket.ReadCheck;
import io.penstock.doctor.bucket.Scratch;
import io.penstock.doctor.bucket.UploadCheck;
import io.penstock.doctor.bucket.WriteCheck;
import io.penstock.doctor.endpoint.GreetingCheck;
import io.penstock.doctor.endpoint.HttpGreeter;
import io.penstock.doctor.endpoint.LookupCheck;
import io.penstock.doctor.endpoint.Names;
import io.penstock.doctor.endpoint.RouteCheck;
import io.penstock.doctor.endpoint.SearchQueriesCheck;
import io.penstock.doctor.endpoint.UdpNameServer;
import io.penstock.doctor.machine.Machine;
import io.penstock.doctor.machine.ProxyCheck;
import java.io.IOException;
import java.util.List;
import java.util.Optional;

/** Checks a bucket. The order is such that an early fault explains the later ones. */
final class BucketExamination {
  private static final ClassLoader LOADER = BucketExamination.class.getClassLoader();
  private static final Time TIME = ThisProcess.time();
  private static final String ENDPOINT = "endpoint";
  private static final String BUCKET = "bucket";
  private static final String WRITING = "writing";

  private final Machine machine;
  private final DoctorTarget target;
  private final Settings settings;

  /**
   * @param settings settings for access to the bucket
   */
  BucketExamination(Machine machine, DoctorTarget target, Settings settings) {
    this.machine = machine;
    this.target = target;
    this.settings = settings;
  }

  /** Returns the host that requests are sent to; empty when the settings are invalid. */
  Optional<String> host() throws IOException {
    try {
      return reach().map(reach -> reach.bucketUrl().getHost());
    } catch (ConfigException e) {
      return Optional.empty(); // run() reports it
    }
  }

  private Optional<Reach> reach() throws IOException {
    return StoreStack.reach(target.bucket(), settings, LOADER);
  }

  void run(Doctor doctor, boolean mayWrite) throws IOException, InterruptedException {
    Reach reach;
    try {
      reach = reach().orElseThrow(() -> new IOException("the store has no endpoint"));
    } catch (ConfigException e) {
      doctor.add(
          ENDPOINT,
          CheckOutcome.fail("settings", e.getMessage(), "Correct it; see docs/configuration.md."));
      return;
    }
    if (!endpoint(doctor, reach)) {
      String why = "the endpoint was not reached";
      doctor.add(BUCKET, CheckOutcome.skipped("requests", why));
      return;
    }
    try (ObjectStore store =
        StoreStack.openBare(ThisProcess.engine(), target.bucket(), settings, LOADER)) {
      boolean isOpen = bucket(doctor, reach, store);
      if (mayWrite && isOpen) {
        writing(doctor, store);
      } else {
        String why = mayWrite ? "the bucket was not reached" : "only with --write";
        doctor.add(WRITING, CheckOutcome.skipped("requests", why));
      }
    }
  }

  private boolean endpoint(Doctor doctor, Reach reach) throws InterruptedException {
    String host = reach.bucketUrl().getHost();
    Optional<String> proxy =
        reach.hasProxy()
            ? Optional.of("a proxy (penstock.proxy or fs.s3a.proxy.host)")
            : ProxyCheck.setting(machine, Optional.of(host));
    if (proxy.isPresent()) {
      // The look-ups and the clock of this machine do not apply to the proxy.
      doctor.add(
          ENDPOINT, CheckOutcome.skipped("name lookup, connection", proxy.get() + " is set"));
      return true;
    }
    Names names = Names.ofTheMachine();
    return doctor.run(
        ENDPOINT,
        List.of(
            new LookupCheck(names, TIME, reach),
            new SearchQueriesCheck(machine, UdpNameServer::at, TIME, host),
            new GreetingCheck(new HttpGreeter(TIME), reach),
            new RouteCheck(names, reach)));
  }

  private boolean bucket(Doctor doctor, Reach reach, ObjectStore store)
      throws InterruptedException {
    ListCheck list = new ListCheck(store, target.prefix(), TIME);
    List<Check> checks =
        List.of(
            new CredentialsCheck(reach, TIME),
            list,
            new ReadCheck(store, target.prefix(), TIME),
            new LoggingCheck(target.bucket()));
    // A bucket that must not be listed is there, and other permissions may be missing too.
    return doctor.run(BUCKET, checks) || list.isDenied();
  }

  private void writing(Doctor doctor, ObjectStore store) throws InterruptedException {
    Scratch scratch = new Scratch(store, target.prefix());
    Thread atExit = new Thread(scratch::clean, "penstock-doctor-clean");
    Runtime.getRuntime().addShutdownHook(atExit);
    try {
      doctor.run(
          WRITING,
          List.of(
              new PermissionsCheck(store, scratch, target.prefix()),
              new WriteCheck(store, scratch, TIME),
              new ConditionalWriteCheck(store, scratch),
              new UploadCheck(store, scratch)));
    } finally {
      scratch.clean();
      remove(atExit);
    }
  }

  private static void remove(Thread atExit) {
    try {
      Runtime.getRuntime().removeShutdownHook(atExit);
    } catch (IllegalStateException e) {
      // The process is ending: the shutdown hook runs and has nothing to do.
    }
  }
}
