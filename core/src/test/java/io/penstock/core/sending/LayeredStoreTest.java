/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.core.sending;

import static org.assertj.core.api.Assertions.assertThat;

import io.penstock.core.store.ObjectStore;
import io.penstock.core.store.StoreWrapper;
import java.lang.reflect.Method;
import java.util.Arrays;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** A default method of the port would bypass the chain, so each request is declared. */
class LayeredStoreTest {
  /** Made of others by the port itself. */
  private static final Set<String> MADE_OF_OTHERS =
      Set.of(
          "createUpload[class java.lang.String]",
          "createUpload[class java.lang.String, class java.util.Optional]",
          "delete[class java.lang.String]",
          "deleteAll[interface java.util.List]",
          "uploadPart[class io.penstock.core.store.parts.Upload, int,"
              + " interface io.penstock.core.store.Body]",
          "copyPart[class io.penstock.core.store.parts.Upload, int, class java.lang.String,"
              + " class io.penstock.core.store.ByteRange]");

  private static Set<String> methods(Class<?> type) {
    return Stream.of(type.getDeclaredMethods())
        .filter(method -> !method.isSynthetic())
        .map(LayeredStoreTest::signature)
        .collect(Collectors.toCollection(TreeSet::new));
  }

  private static String signature(Method method) {
    return method.getName() + Arrays.toString(method.getParameterTypes());
  }

  @Test
  void everyRequestOfThePortIsDeclared() {
    Set<String> port = methods(ObjectStore.class);
    assertThat(port).containsAll(MADE_OF_OTHERS);
    port.removeAll(MADE_OF_OTHERS);
    assertThat(methods(LayeredStore.class)).containsAll(port);
    assertThat(methods(StoreWrapper.class)).containsAll(port);
  }
}
