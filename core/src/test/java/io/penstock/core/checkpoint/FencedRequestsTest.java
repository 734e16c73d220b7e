/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.core.checkpoint;

import static org.assertj.core.api.Assertions.assertThat;

import io.penstock.core.store.ObjectStore;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** For each request of the port, somebody has decided whether a run of a query is fenced in it. */
class FencedRequestsTest {
  private static final Set<String> FENCED =
      Set.of(
          "put(String,Body,Condition)",
          "createUpload(String,Optional,UserMetadata)",
          "completeUpload(PendingUpload,Condition)");

  private static final Map<String, String> NOT_FENCED =
      Map.ofEntries(
          Map.entry("get(String,Range,Optional)", "only reads"),
          Map.entry("read(String,ByteRange,String,ByteSink)", "only reads"),
          Map.entry("head(String)", "only reads"),
          Map.entry("list(ListRequest)", "only reads"),
          Map.entry("listUploads(String,Optional)", "only reads"),
          Map.entry("listParts(Upload,Optional)", "only reads"),
          Map.entry("createUpload(String)", "calls the other one"),
          Map.entry("createUpload(String,Optional)", "calls the other one"),
          Map.entry("uploadPart(Upload,PartNumbers,Body)", "shows nothing before the completion"),
          Map.entry("uploadPart(Upload,int,Body)", "calls the other one"),
          Map.entry("copyPart(Upload,int,String,ByteRange)", "calls the other one"),
          Map.entry("copyPart(Upload,int,String,ByteRange,Optional)", "as uploadPart"),
          Map.entry("abortUpload(Upload)", "takes nothing away that was visible"),
          Map.entry("copy(String,String,Optional)", "no condition on its target; never used there"),
          Map.entry("delete(String)", "calls the other one"),
          Map.entry("delete(String,Condition)", "a run deletes only what it does not need"),
          Map.entry("deleteAll(List)", "as delete"),
          Map.entry("deleteAll(Map)", "as delete"),
          Map.entry("listVersions(ListRequest)", "only reads"),
          Map.entry("getVersion(String,String,Range)", "only reads"),
          Map.entry("deleteVersions(Map)", "never used there"),
          Map.entry("bucket()", "no request"),
          Map.entry("endpoint()", "no request"),
          Map.entry("requestsMax()", "no request"),
          Map.entry("traits()", "no request"),
          Map.entry("supportsConditionalWrites(String)", "writes an object of its own"),
          Map.entry("supportsConditionalCompletes(String)", "the same"),
          Map.entry("close()", "no request"));

  private static Set<String> methods(Class<?> type) {
    return Stream.of(type.getDeclaredMethods())
        .filter(method -> Modifier.isPublic(method.getModifiers()) && !method.isSynthetic())
        .map(FencedRequestsTest::signature)
        .collect(Collectors.toCollection(TreeSet::new));
  }

  private static String signature(Method method) {
    return Stream.of(method.getParameterTypes())
        .map(Class::getSimpleName)
        .collect(Collectors.joining(",", method.getName() + "(", ")"));
  }

  @Test
  void eachRequestIsFencedOrThereIsAReasonWhyNot() {
    Set<String> decided = new TreeSet<>(FENCED);
    decided.addAll(NOT_FENCED.keySet());
    assertThat(decided).isEqualTo(methods(ObjectStore.class));
    assertThat(methods(FencedStore.class)).containsAll(FENCED);
    assertThat(methods(FencedStore.class)).doesNotContainAnyElementsOf(NOT_FENCED.keySet());
  }
}
