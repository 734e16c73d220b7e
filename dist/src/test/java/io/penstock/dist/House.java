/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.dist;

import com.tngtech.archunit.base.DescribedPredicate;
import com.tngtech.archunit.core.domain.JavaAccess;
import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import java.util.Set;

/** All classes that Penstock is made of, without their tests. */
final class House {
  static final JavaClasses CLASSES =
      new ClassFileImporter()
          .withImportOption(ImportOption.Predefined.DO_NOT_INCLUDE_TESTS)
          .withImportOption(location -> !location.contains("penstock-spark.jar"))
          .withImportOption(location -> !location.contains("/shaded/"))
          .importPackages("io.penstock");

  private House() {}

  /** Returns the pattern of a module's packages. */
  static String module(String name) {
    return "io.penstock." + name + "..";
  }

  /** Tells accesses of members, method references among them. */
  static DescribedPredicate<JavaAccess<?>> isOf(Class<?> owner, String... members) {
    Set<String> names = Set.of(members);
    return DescribedPredicate.describe(
        owner.getSimpleName() + "." + names,
        access ->
            access.getTargetOwner().isEquivalentTo(owner)
                && names.contains(access.getTarget().getName()));
  }
}
