# Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0
"""The cases of bench/run commit-corners, one module for each group of them."""
