/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
/** The rules about the memory and the cores of executors. */
package io.penstock.analyze.advice.rules.executor;
