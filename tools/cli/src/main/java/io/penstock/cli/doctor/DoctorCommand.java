/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.cli.doctor;

import io.penstock.cli.print.Terminal;
import io.penstock.cli.store.StoreOptions;
import io.penstock.core.config.Settings;
import io.penstock.doctor.Doctor;
import io.penstock.doctor.DoctorJson;
import io.penstock.doctor.DoctorReport;
import io.penstock.doctor.machine.Machine;
import io.penstock.doctor.machine.ThisMachine;
import io.penstock.doctor.spark.CorrectedConf;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileAttribute;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** The command {@code penstock doctor}: finds faults between this machine and a bucket. */
@Command(
    name = "doctor",
    description = {
      "Checks this machine, the installed Spark and its settings, and the connection to a"
          + " bucket: DNS, TLS, clock, region, credentials, speed. Each check passes, warns or"
          + " fails, and says what to change.",
      "Without a bucket, only the local checks run. Writes nothing, unless --write is given."
    },
    mixinStandardHelpOptions = true,
    footer = {
      "",
      "Exit codes: 0 no check failed, 1 a check failed (with --strict: failed or",
      "gave a warning), 2 wrong usage."
    })
public final class DoctorCommand implements Callable<Integer> {
  private enum Format {
    TABLE,
    JSON
  }

  @Spec private CommandSpec spec;

  @Parameters(
      arity = "0..1",
      paramLabel = "s3://BUCKET/PREFIX",
      description = "Bucket and prefix that a job reads or writes.")
  private String target;

  @Mixin private StoreOptions store;

  @Option(
      names = "--write",
      description =
          "Also write, read and delete temporary objects under the prefix. They are deleted"
              + " at the end, and on Ctrl-C.")
  private boolean mayWrite;

  @Option(
      names = "--spark-home",
      paramLabel = "DIR",
      description = "Directory of the installed Spark. Default: SPARK_HOME.")
  private String sparkHome;

  @Option(
      names = "--checkpoint",
      paramLabel = "DIR",
      description = "Directory for checkpoints of streams; the doctor checks how it is mounted.")
  private String checkpoint;

  @Option(
      names = "--corrected",
      paramLabel = "FILE",
      description =
          "Write the spark-defaults.conf of --conf to this new file, without the settings that"
              + " stop or mislead a job with Penstock. It contains the old file's secrets.")
  private Path corrected;

  @Option(names = "--strict", description = "Exit with code 1 even if there are only warnings.")
  private boolean isStrict;

  @Option(
      names = "--format",
      defaultValue = "table",
      description = "table or json. Default: ${DEFAULT-VALUE}.")
  private Format format;

  @Override
  public Integer call() throws IOException, InterruptedException {
    Optional<DoctorTarget> place = Optional.ofNullable(target).map(DoctorTarget::of);
    if (mayWrite && place.isEmpty()) {
      throw new IllegalArgumentException("--write needs an s3://BUCKET/PREFIX to write under");
    }
    Optional<String> faulty = corrected == null ? Optional.empty() : Optional.of(store.sparkFile());
    Doctor doctor = new Doctor(this::progress);
    Machine machine = new ThisMachine();
    LocalExamination local =
        new LocalExamination(machine, store.given(), Optional.ofNullable(sparkHome));
    try {
      if (place.isPresent()) {
        examine(doctor, local, new BucketExamination(machine, place.get(), patient()));
      } else {
        local.run(doctor, Optional.empty(), Optional.ofNullable(checkpoint));
      }
    } finally {
      new Terminal(spec.commandLine().getErr()).clear();
    }
    String shown = place.map(DoctorTarget::toString).orElse("this machine");
    DoctorReport report = new DoctorReport(shown, doctor.lines(), local.effective());
    print(format == Format.JSON ? DoctorJson.of(report) : DoctorText.of(report));
    if (faulty.isPresent()) {
      write(local.corrected(faulty.get()));
    }
    return report.isWell(isStrict) ? 0 : 1;
  }

  private void write(CorrectedConf conf) throws IOException {
    try {
      Files.writeString(Files.createFile(corrected, forOwnerOnly()), conf.text());
    } catch (FileAlreadyExistsException e) {
      throw new IllegalArgumentException(
          "--corrected=" + corrected + " exists already; name a new file", e);
    }
    spec.commandLine().getErr().printf("wrote %s: %d lines differ%n", corrected, conf.changes());
  }

  private FileAttribute<?>[] forOwnerOnly() {
    if (!corrected.getFileSystem().supportedFileAttributeViews().contains("posix")) {
      return new FileAttribute<?>[0];
    }
    return new FileAttribute<?>[] {
      PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------"))
    };
  }

  private void examine(Doctor doctor, LocalExamination local, BucketExamination bucket)
      throws IOException, InterruptedException {
    local.run(doctor, bucket.host(), Optional.ofNullable(checkpoint));
    bucket.run(doctor, mayWrite);
  }

  /** Returns the settings, with timeouts that are short enough for a person at a terminal. */
  private Settings patient() throws IOException {
    return store.settings(
        Map.of("penstock.connect.timeout", "3s", "penstock.socket.timeout", "10s"));
  }

  private void progress(String check) {
    if (Boolean.getBoolean("penstock.terminal")) {
      new Terminal(spec.commandLine().getErr()).progress(check);
    }
  }

  private void print(String text) {
    PrintWriter out = spec.commandLine().getOut();
    out.println(text.stripTrailing());
    out.flush();
  }
}
