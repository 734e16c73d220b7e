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
      Set.of(
          "bucket",
          "endpoint",
          "partNumbering",
          "uploadsSurviveCuts",
          "listsUploadsByPrefix",
          "listsAfterAnyName",
          "supportsConditionalWrites",
          "close");

  private static final Map<String, String> NEVER_HEDGED =
      Map.of(
          "copy(String,String,Optional)", "its second attempt would copy all bytes once more",
          "copyPart(Upload,int,String,ByteRange)", "as copy",
          "delete(String)", "calls the other one",
          "delete(String,Condition)", "a late one takes away what was written since",
          "deleteAll(List)", "a late one takes away what was written since",
          "createUpload(String,Optional)", "the upload of the slower attempt would stay",
          "createUpload(String)", "calls the other one",
          "abortUpload(Upload)", "nobody waits for it",
          "listUploads(String,Optional)", "only clean-up asks",
          "listParts(Upload,Optional)", "only repairs ask");

  private static final Map<String, String> NEVER_FENCED =
      Map.ofEntries(
          Map.entry("get(String,Range,Optional)", "only reads"),
          Map.entry("read(String,ByteRange,String,ByteSink)", "only reads"),
          Map.entry("head(String)", "only reads"),
          Map.entry("list(ListRequest)", "only reads"),
          Map.entry("listUploads(String,Optional)", "only reads"),
          Map.entry("listParts(Upload,Optional)", "only reads"),
          Map.entry("createUpload(String)", "calls the other one"),
          Map.entry("uploadPart(Upload,int,Body)", "shows nothing before the upload is completed"),
          Map.entry("uploadPart(Upload,PartNumbers,Body)", "as the other one"),
          Map.entry("copyPart(Upload,int,String,ByteRange)", "as uploadPart"),
          Map.entry("abortUpload(Upload)", "takes nothing away that was visible"),
          Map.entry("copy(String,String,Optional)", "no condition on its target; never used there"),
          Map.entry("delete(String)", "calls the other one"),
          Map.entry("delete(String,Condition)", "a run deletes only what it does not need"),
          Map.entry("deleteAll(List)", "as delete"));

  /** Passed on as they are, so that the wrapped store chooses the part's number itself. */
  private static final Set<String> PASSED_ON = Set.of("uploadPart(Upload,PartNumbers,Body)");

  /** Made of others by the port itself, so that they need no wrapper. */
  private static final Set<String> MADE_OF_OTHERS =
      Set.of("createUpload(String)", "delete(String)", "uploadPart(Upload,PartNumbers,Body)");

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
    fenced.removeAll(PASSED_ON);
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
