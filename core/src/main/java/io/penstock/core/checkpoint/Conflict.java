/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.core.checkpoint;

import io.penstock.core.store.ObjectMeta;
import java.util.Optional;

/**
 * A checkpoint file that a run wants to write and that already exists.
 *
 * @param own run that wants to write the file
 * @param there the existing file; empty if it has been deleted meanwhile
 */
public record Conflict(Writer own, Optional<ObjectMeta> there) {
  /** Returns the writer that the file names; empty if it names none. */
  public Optional<Writer> other() {
    return there.flatMap(ObjectMeta::writeId).flatMap(Writer::ofWriteId);
  }

  /** Returns true if a later run has written the file, so that this run must not replace it. */
  boolean isFenced() {
    return other().isPresent() && other().get().epoch() > own.epoch();
  }

  /** Returns the error message for a file that must never be replaced. */
  public String present() {
    String by = other().map(this::named).orElse("an unknown program");
    return "This file was written%s by %s. Two queries must not use the same checkpoint: stop one of the queries, or give each a checkpoint of its own."
        .formatted(there.map(meta -> " at " + meta.lastModified()).orElse(""), by);
  }

  private String named(Writer writer) {
    return isOfAnotherRun() ? writer.toString() : "this run of the query itself";
  }

  /**
   * Returns true if the file names another run, whether of this query or of another one. Returns
   * false also if the file names no run, or has been deleted meanwhile.
   */
  public boolean isOfAnotherRun() {
    return other()
        .filter(
            writer ->
                !writer.application().equals(own.application())
                    || writer.pid() != own.pid()
                    || !writer.run().equals(own.run()))
        .isPresent();
  }

  /**
   * Returns the error message for a file that this run may normally replace, but not now, because a
   * later run has written it.
   */
  String fenced() {
    return "This file was written by %s, which took over the checkpoint from this run, %s. This run must stop; the query continues in the other run."
        .formatted(other().orElseThrow(), own);
  }
}
