/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
/**
 * Whole clusters on a modelled S3 in virtual time: discrete events, the production deciders, one
 * seed. What is modelled and what is not is in docs/simulator.md.
 */
package io.penstock.simulator.cluster;
