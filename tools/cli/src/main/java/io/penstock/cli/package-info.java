/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
/** The commands: options, exit codes and printed output. The other modules do the work. */
package io.penstock.cli;
