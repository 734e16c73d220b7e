/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.tables.json;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * The selected fields of a JSON object. Each field is given by its path of names, such as {@code
 * userIdentity/arn}. A field's number is its index in the list of paths.
 */
public final class FieldTree {
  private final int size;
  private int nodes;
  private final Node root = new Node(-1, nodes++);

  /**
   * @param paths names joined by slashes; each name has at most 63 bytes in UTF-8
   */
  public FieldTree(List<String> paths) {
    size = paths.size();
    for (int number = 0; number < size; number++) {
      Node node = root;
      for (String name : paths.get(number).split("/", -1)) {
        Node child = node.make(name.getBytes(StandardCharsets.UTF_8), nodes);
        nodes = Math.max(nodes, child.id + 1);
        node = child;
      }
      node.number = number;
    }
  }

  int size() {
    return size;
  }

  /** Returns how many nodes there are. */
  int nodes() {
    return nodes;
  }

  Node root() {
    return root;
  }

  /** A selected field, an object that contains selected fields, or both. */
  static final class Node {
    private static final int LENGTHS = 64;

    private final int id;
    private int number;
    private final byte[][][] names = new byte[LENGTHS][][];
    private final List<List<Node>> children = new ArrayList<>();

    private Node(int number, int id) {
      this.number = number;
      this.id = id;
      for (int i = 0; i < LENGTHS; i++) {
        names[i] = new byte[0][];
        children.add(new ArrayList<>());
      }
    }

    int number() {
      return number;
    }

    /** Returns the index of this node among all nodes of the tree. */
    int id() {
      return id;
    }

    /** Returns the child node with a name; if there is none, one is made. */
    private Node make(byte[] name, int newId) {
      Node known = child(name, 0, name.length);
      if (known != null) {
        return known;
      }
      byte[][] same = Arrays.copyOf(names[name.length], names[name.length].length + 1);
      same[same.length - 1] = name;
      names[name.length] = same;
      Node child = new Node(-1, newId);
      children.get(name.length).add(child);
      return child;
    }

    /** Returns the child node with a name; null when no selected field has this name. */
    Node child(byte[] text, int start, int end) {
      int length = end - start;
      if (length >= LENGTHS) {
        return null;
      }
      byte[][] same = names[length];
      for (int i = 0; i < same.length; i++) {
        // Names of the same length mostly differ in their first or last byte.
        byte[] name = same[i];
        if (length > 0
            && name[0] == text[start]
            && name[length - 1] == text[end - 1]
            && Arrays.equals(name, 0, length, text, start, end)) {
          return children.get(length).get(i);
        }
      }
      return null;
    }
  }
}
