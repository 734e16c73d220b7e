/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.hadoop.mount;

import java.util.List;
import java.util.Optional;

/**
 * The facts that were found out about a directory.
 *
 * @param nearest the directory, or where it could not be made the nearest one above it
 * @param failure the first step that failed
 * @param closed what belongs to others in the directory and is closed to this process
 */
record MountFacts(
    String directory,
    Identity self,
    Owned nearest,
    Mount mount,
    Optional<Failure> failure,
    List<Owned> closed) {}
