/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.core.stack;

import static org.assertj.core.api.Assertions.assertThat;

import io.penstock.core.checkpoint.FencedStore;
import io.penstock.core.hedge.HedgingStore;
import io.penstock.core.store.ObjectStore;
import io.penstock.core.store.StoreWrapper;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collector;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/**
 * A request that is new on the port passes all wrappers by itself, so it is measured, timed, paced
 * and repeated. Whether it is hedged and fenced somebody has to decide: here.
 */
class PortCoverageTest {
  private static final Set<String> NO_REQUESTS =
      Set.of("bucket", "endpoint", "traits", "supportsConditionalWrites", "close");

  private static final Map<String, String> NEVER_HEDGED =
      Map.ofEntries(
          Map.entry(
              "copy(String,String,Optional)", "its second attempt would copy all bytes once more"),
          Map.entry("copyPart(Upload,int,String,ByteRange)", "as copy"),
          Map.entry("delete(String)", "calls the other one"),
          Map.entry("delete(String,Condition)", "a late one takes away what was written since"),
          Map.entry("deleteAll(List)", "a late one takes away what was written since"),
          Map.entry("createUpload(String,Optional)", "the upload of the slower attempt would stay"),
          Map.entry("createUpload(String)", "calls the other one"),
          Map.entry("abortUpload(Upload)", "nobody waits for it"),
          Map.entry("listUploads(String,Optional)", "only clean-up asks"),
          Map.entry("listParts(Upload,Optional)", "only repairs ask"),
          Map.entry("uploadPart(Upload,int,Body)", "calls the other one"));

  private static final Map<String, String> NEVER_FENCED =
      Map.ofEntries(
          Map.entry("get(String,Range,Optional)", "only reads"),
          Map.entry("read(String,ByteRange,String,ByteSink)", "only reads"),
          Map.entry("head(String)", "only reads"),
          Map.entry("list(ListRequest)", "only reads"),
          Map.entry("listUploads(String,Optional)", "only reads"),
          Map.entry("listParts(Upload,Optional)", "only reads"),
          Map.entry("createUpload(String)", "calls the other one"),
          Map.entry(
              "uploadPart(Upload,PartNumbers,Body)",
              "shows nothing before the upload is completed"),
          Map.entry("uploadPart(Upload,int,Body)", "calls the other one"),
          Map.entry("copyPart(Upload,int,String,ByteRange)", "as uploadPart"),
          Map.entry("abortUpload(Upload)", "takes nothing away that was visible"),
          Map.entry("copy(String,String,Optional)", "no condition on its target; never used there"),
          Map.entry("delete(String)", "calls the other one"),
          Map.entry("delete(String,Condition)", "a run deletes only what it does not need"),
          Map.entry("deleteAll(List)", "as delete"));

  /** Made of others by the port itself, so that they need no wrapper. */
  private static final Set<String> MADE_OF_OTHERS =
      Set.of("createUpload(String)", "delete(String)", "uploadPart(Upload,int,Body)");

  private static Set<String> requests() {
    return signatures(ObjectStore.class)
        .filter(signature -> !NO_REQUESTS.contains(signature.replaceAll("\\(.*", "")))
        .collect(toSet());
  }

  private static Set<String> declaredBy(Class<? extends StoreWrapper> wrapper) {
    return signatures(wrapper).filter(requests()::contains).collect(toSet());
  }

  private static Stream<String> signatures(Class<?> type) {
    return Stream.of(type.getDeclaredMethods())
        .filter(method -> Modifier.isPublic(method.getModifiers()) && !method.isSynthetic())
        .map(PortCoverageTest::signature);
  }

  private static String signature(Method method) {
    return Stream.of(method.getParameterTypes())
        .map(Class::getSimpleName)
        .collect(Collectors.joining(",", method.getName() + "(", ")"));
  }

  private static Collector<String, ?, Set<String>> toSet() {
    return Collectors.toCollection(TreeSet::new);
  }

  @Test
  void eachRequestIsHedgedOrThereIsAReasonWhyNot() {
    assertThat(union(declaredBy(HedgingStore.class), NEVER_HEDGED.keySet())).isEqualTo(requests());
    assertThat(declaredBy(HedgingStore.class)).doesNotContainAnyElementsOf(NEVER_HEDGED.keySet());
  }

  @Test
  void eachRequestIsFencedOrThereIsAReasonWhyNot() {
    Set<String> fenced = declaredBy(FencedStore.class);
    assertThat(union(fenced, NEVER_FENCED.keySet())).isEqualTo(requests());
    assertThat(fenced).doesNotContainAnyElementsOf(NEVER_FENCED.keySet());
  }

  @Test
  void everyRequestPassesTheWrapperThatAllOthersExtend() {
    assertThat(union(declaredBy(StoreWrapper.class), MADE_OF_OTHERS)).isEqualTo(requests());
  }

  private static Set<String> union(Set<String> some, Set<String> more) {
    return Stream.concat(some.stream(), more.stream()).collect(toSet());
  }
}
