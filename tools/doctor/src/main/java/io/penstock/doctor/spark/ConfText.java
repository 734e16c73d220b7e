/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.doctor.spark;

import java.io.IOException;
import java.io.StringReader;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Properties;
import java.util.TreeMap;
import javax.xml.stream.XMLInputFactory;
import javax.xml.stream.XMLStreamConstants;
import javax.xml.stream.XMLStreamException;
import javax.xml.stream.XMLStreamReader;

/** Parses the settings in a {@code spark-defaults.conf} or a {@code core-site.xml}. */
public final class ConfText {
  private ConfText() {}

  /** Returns true if the text is Hadoop's XML, false if it is Spark's properties. */
  public static boolean isXml(String text) {
    return text.stripLeading().startsWith("<");
  }

  /**
   * Returns the settings as Spark reads them. The lines have the form {@code name value}, {@code
   * name=value} or {@code name: value}.
   *
   * @throws IOException when the text is not of that form
   */
  public static Map<String, String> properties(String text) throws IOException {
    Properties properties = new Properties();
    try {
      properties.load(new StringReader(text));
    } catch (IllegalArgumentException e) {
      throw new IOException("not a properties file: " + e.getMessage(), e);
    }
    Map<String, String> settings = new TreeMap<>();
    for (String name : properties.stringPropertyNames()) {
      settings.put(name, properties.getProperty(name).strip());
    }
    return settings;
  }

  /** Returns true if a line that is added to Spark's properties would belong to the last one. */
  public static boolean isOpen(String text) {
    return ConfLine.isOpen(text);
  }

  /**
   * Returns the settings in Hadoop's XML. Nothing that the text refers to is loaded.
   *
   * @throws IOException when the text is not of that form
   */
  public static Map<String, String> xml(String text) throws IOException {
    XMLInputFactory factory = XMLInputFactory.newDefaultFactory();
    factory.setProperty(XMLInputFactory.SUPPORT_DTD, false);
    factory.setProperty(XMLInputFactory.IS_SUPPORTING_EXTERNAL_ENTITIES, false);
    try {
      return settings(factory.createXMLStreamReader(new StringReader(text)));
    } catch (XMLStreamException e) {
      throw new IOException("not XML: line " + e.getLocation().getLineNumber(), e);
    }
  }

  private static Map<String, String> settings(XMLStreamReader reader) throws XMLStreamException {
    Map<String, String> settings = new LinkedHashMap<>();
    String name = "";
    while (reader.hasNext()) {
      if (reader.next() == XMLStreamConstants.START_ELEMENT) {
        switch (reader.getLocalName()) {
          case "name" -> name = reader.getElementText().strip();
          case "value" -> settings.put(name, reader.getElementText().strip());
          default -> {
            // property, description, final
          }
        }
      }
    }
    return settings;
  }
}
