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
          "supportsConditionalWrites",
          "close");

  private static final Map<String, String> NEVER_HEDGED =
      Map.of(
          "copy", "its second attempt would copy all bytes once more",
          "copyPart", "its second attempt would copy all bytes once more",
          "delete", "a late one takes away what was written since",
          "deleteAll", "a late one takes away what was written since",
          "createUpload", "the upload of the slower attempt would stay",
          "abortUpload", "nobody waits for it",
          "listUploads", "only clean-up asks",
          "listParts", "only repairs ask");

  private static final Map<String, String> NEVER_FENCED =
      Map.ofEntries(
          Map.entry("get", "reads nothing but what is there"),
          Map.entry("head", "reads nothing but what is there"),
          Map.entry("list", "reads nothing but what is there"),
          Map.entry("listUploads", "reads nothing but what is there"),
          Map.entry("listParts", "reads nothing but what is there"),
          Map.entry("copyPart", "is not visible before the upload is completed"),
          Map.entry("abortUpload", "takes nothing away that was visible"),
          Map.entry("copy", "S3 has no condition on its target; checkpoints are never copied"),
          Map.entry(
              "delete", "S3 has no condition on it; a run deletes only what it does not need"),
          Map.entry("deleteAll", "S3 has no condition on it, as for one"));

  private static Set<String> requests() {
    return names(ObjectStore.class).filter(name -> !NO_REQUESTS.contains(name)).collect(toSet());
  }

  private static Set<String> declaredBy(Class<? extends StoreWrapper> wrapper) {
    return names(wrapper).filter(requests()::contains).collect(toSet());
  }

  private static Stream<String> names(Class<?> type) {
    return Stream.of(type.getDeclaredMethods())
        .filter(method -> Modifier.isPublic(method.getModifiers()) && !method.isSynthetic())
        .map(Method::getName);
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
    assertThat(union(declaredBy(FencedStore.class), NEVER_FENCED.keySet())).isEqualTo(requests());
    assertThat(declaredBy(FencedStore.class)).doesNotContainAnyElementsOf(NEVER_FENCED.keySet());
  }

  @Test
  void everyRequestPassesTheWrapperThatAllOthersExtend() {
    assertThat(declaredBy(StoreWrapper.class)).isEqualTo(requests());
  }

  private static Set<String> union(Set<String> some, Set<String> more) {
    return Stream.concat(some.stream(), more.stream()).collect(toSet());
  }
}
