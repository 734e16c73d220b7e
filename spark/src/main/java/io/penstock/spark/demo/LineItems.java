/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.spark.demo;

import java.util.List;

/**
 * A table with the shape of TPC-H lineitem, computed from the row number alone. Every machine makes
 * the same rows, so the rows read from S3 can be compared with the expected rows.
 */
final class LineItems {
  /**
   * The version of the data. Each version has different numbers, so that a check can detect an
   * overwrite.
   */
  private final int version;

  LineItems(int version) {
    this.version = version;
  }

  /** Returns the columns as SQL over {@code id}, in the order of TPC-H. */
  List<String> columns() {
    return List.of(
        "id div 4 + 1 as l_orderkey",
        chance("part", 200_000) + " + 1 as l_partkey",
        chance("supp", 10_000) + " + 1 as l_suppkey",
        "cast(id % 4 + 1 as int) as l_linenumber",
        "cast(" + chance("quantity", 50) + " + 1 as decimal(12,2)) as l_quantity",
        "cast(" + chance("price", 9_500_000) + " / 100 + 900 as decimal(12,2)) as l_extendedprice",
        "cast(" + chance("discount", 11) + " / 100 as decimal(12,2)) as l_discount",
        "cast(" + chance("tax", 9) + " / 100 as decimal(12,2)) as l_tax",
        "element_at(array('A', 'N', 'R'), cast("
            + chance("flag", 3)
            + " + 1 as int)) as l_returnflag",
        "element_at(array('F', 'O'), cast(" + chance("status", 2) + " + 1 as int)) as l_linestatus",
        "date_add(date'1992-01-02', cast(" + chance("ship", 2526) + " as int)) as l_shipdate",
        "date_add(date'1992-01-31', cast(" + chance("commit", 2465) + " as int)) as l_commitdate",
        "date_add(date'1992-01-04', cast(" + chance("receipt", 2553) + " as int)) as l_receiptdate",
        "element_at(array('DELIVER IN PERSON', 'COLLECT COD', 'NONE', 'TAKE BACK RETURN'), cast("
            + chance("instruct", 4)
            + " + 1 as int)) as l_shipinstruct",
        "element_at(array('REG AIR', 'AIR', 'RAIL', 'SHIP', 'TRUCK', 'MAIL', 'FOB'), cast("
            + chance("mode", 7)
            + " + 1 as int)) as l_shipmode",
        "substr(hex(xxhash64(id, 'comment')), 1, cast("
            + chance("length", 12)
            + " + 4 as int))"
            + " as l_comment");
  }

  private String chance(String column, int below) {
    return "pmod(xxhash64(id, '%s', %d), %d)".formatted(column, version, below);
  }

  /**
   * The columns of TPC-H's first query without its sort, reduced to one row. Any wrong, lost or
   * duplicate row changes the result.
   */
  static final List<String> DIGEST =
      List.of(
          "count(*) as n",
          "sum(l_quantity) as quantity",
          "sum(l_extendedprice * (1 - l_discount)) as revenue",
          "count(distinct l_returnflag, l_linestatus) as flags",
          "max(l_shipdate) as last",
          "bit_xor(xxhash64(l_orderkey, l_linenumber, l_comment, l_shipmode)) as digest");
}
