/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
/** Tables, the common form of the results of several tools, and their printed formats. */
package io.penstock.tables;
