/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.hadoop.mount;

import java.util.List;
import java.util.Optional;

/**
 * The facts about a directory.
 *
 * @param nearest the directory; if it could not be made, the nearest existing directory above it
 * @param failure the first step that failed
 * @param closed the entries in the directory that belong to others and are closed to this process
 */
record MountFacts(
    String directory,
    MountIdentity self,
    Owned nearest,
    Mount mount,
    Optional<MountFailure> failure,
    List<Owned> closed) {}
