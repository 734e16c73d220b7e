/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.loggen.text;

import io.penstock.loggen.chance.Mix;
import io.penstock.loggen.chance.Purpose;
import io.penstock.loggen.draw.CallBatch;
import io.penstock.loggen.plan.Call;
import io.penstock.loggen.plan.JobIdentity;
import io.penstock.loggen.plan.Plan;
import io.penstock.loggen.plan.TaskPlacement;

/** The names that both logs of the requests contain, written as bytes. */
public final class Words {
  private static final byte[] OUTPUT = LineBuffer.bytes(JobIdentity.OUTPUT + "/");
  private static final byte[] INPUT = LineBuffer.bytes(JobIdentity.INPUT + "/");
  private static final byte[] PART = LineBuffer.bytes("part-");
  private static final byte[] ENDING = LineBuffer.bytes(".parquet");
  private static final byte[] DAY = LineBuffer.bytes("ss_sold_date_sk");
  private static final int FIRST_DAY = 2_450_816;
  private static final int INPUT_FILES = 1_486;
  private static final int UPLOAD_ID_LENGTH = 64;
  private static final int HOST_ID_LENGTH = 76;

  private final long seed;
  private final TaskPlacement fleet;
  private final int prefixes;
  private final byte[][] addresses = new byte[TaskPlacement.NODES][];
  private final byte[] driver = LineBuffer.bytes(TaskPlacement.DRIVER_ADDRESS);

  /** Creates the names of a plan. */
  public Words(Plan plan, TaskPlacement fleet) {
    this.seed = plan.options().seed();
    this.fleet = fleet;
    this.prefixes = plan.options().prefixes();
    for (int node = 0; node < TaskPlacement.NODES; node++) {
      addresses[node] = LineBuffer.bytes(TaskPlacement.address(node));
    }
  }

  /** Returns the directory of a prefix, with a slash at its end. */
  public static String directory(int prefix, int prefixes) {
    return JobIdentity.OUTPUT
        + (prefixes == 1 ? "/" : "/ss_sold_date_sk=" + (FIRST_DAY + prefix) + "/");
  }

  /** Returns true if the request names an object. */
  public boolean hasKey(Call call) {
    return call != Call.HEAD_BUCKET && call != Call.LIST;
  }

  /** Writes the key. An encoded log writes the equals sign as %3D. */
  public void key(LineBuffer line, CallBatch batch, int index, boolean isEncoded) {
    if (batch.call(index).isWrite()) {
      outputKey(line, batch.subject(index), isEncoded);
    } else {
      inputKey(line, batch.subject(index));
    }
  }

  private void outputKey(LineBuffer line, long file, boolean isEncoded) {
    line.put(OUTPUT);
    if (prefixes > 1) {
      line.put(DAY);
      if (isEncoded) {
        line.put('%').put('3').put('D');
      } else {
        line.put('=');
      }
      line.number(FIRST_DAY + fleet.prefix(file)).put('/');
    }
    int turn = fleet.turn(file);
    name(line, fleet.task(file), 0);
    line.put('-').put('c').padded(turn, turn < 1_000 ? 3 : 7).put(ENDING);
  }

  private void inputKey(LineBuffer line, long read) {
    long bits = Mix.of(seed, Purpose.READ, ~read);
    line.put(INPUT);
    name(line, Long.remainderUnsigned(bits, INPUT_FILES), 2);
    line.put("-c000").put(ENDING);
  }

  private void name(LineBuffer line, long number, int job) {
    line.put(PART).padded(number, 5).put('-');
    line.uuid(Mix.of(seed, Purpose.FILE_NAME, job), Mix.of(seed, Purpose.FILE_NAME, job + 1));
  }

  /** Writes the upload id. Each file has one upload, even if its requests are repeated. */
  public void uploadId(LineBuffer line, long file) {
    line.name(Mix.of(seed, Purpose.UPLOAD_ID, file), UPLOAD_ID_LENGTH);
  }

  /** Writes the request id, which is unique. */
  public void requestId(LineBuffer line, long id) {
    line.hex(Mix.of(seed, Purpose.REQUEST_ID, id), 16);
  }

  /** Writes the host id of a request. */
  public void hostId(LineBuffer line, long id) {
    line.base64(Mix.of(seed, Purpose.HOST_ID, id), HOST_ID_LENGTH);
  }

  /** Writes the IP address that sends a request. */
  public void address(LineBuffer line, CallBatch batch, int index) {
    int node = node(batch, index);
    line.put(node < 0 ? driver : addresses[node]);
  }

  /** Returns the node that sends a request, or -1 for the driver. */
  public int node(CallBatch batch, int index) {
    return batch.call(index) == Call.LIST ? -1 : fleet.node(task(batch, index));
  }

  /** Returns the task that a request belongs to. */
  public int task(CallBatch batch, int index) {
    long subject = batch.subject(index);
    return batch.call(index).isWrite() ? fleet.task(subject) : fleet.readerOf(subject);
  }

  /** Writes the id that S3A gives to a process; -1 means the driver. */
  public void process(LineBuffer line, int node) {
    line.uuid(
        Mix.of(seed, Purpose.PROCESS, 2L * node), Mix.of(seed, Purpose.PROCESS, 2L * node + 1));
  }

  /** Returns the start in bytes of the range that a GET requests. */
  public long rangeStart(long read) {
    return (Mix.of(seed, Purpose.READ, read) >>> 40) * 64;
  }

  static long rangeBytes(long bits) {
    return (1 << 20) + (bits & 0x7FFFFF);
  }

  /** Returns the length of the range that a GET requests. */
  public long rangeBytesOf(long read) {
    return rangeBytes(Mix.of(seed, Purpose.READ, read) >>> 8);
  }
}
