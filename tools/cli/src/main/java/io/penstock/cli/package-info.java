/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
/**
 * The commands: options, exit codes, and what is printed. The work is done in the other modules.
 */
package io.penstock.cli;
