/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
/** Finds the jars of the installation, and prepares Java to start the commands fast. */
package io.penstock.cli.start;
