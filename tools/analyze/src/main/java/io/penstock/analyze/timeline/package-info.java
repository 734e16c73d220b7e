/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
/** Shows every attempt at the requests for one object, so that a straggler can be seen. */
package io.penstock.analyze.timeline;
