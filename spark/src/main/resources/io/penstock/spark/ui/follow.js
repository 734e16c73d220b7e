/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
// Replaces the report by that of now, while the application runs and the page is looked at.
(function () {
  "use strict";
  const PERIOD_MILLIS = 3000;
  function report(doc) {
    return doc.getElementById("penstock-s3");
  }
  async function follow() {
    const shown = report(document);
    const isUsed = shown.contains(document.activeElement) || String(document.getSelection()) !== "";
    if (!document.hidden && !isUsed) {
      try {
        const answer = await fetch(location.href, { credentials: "same-origin" });
        const fresh = report(new DOMParser().parseFromString(await answer.text(), "text/html"));
        if (fresh) {
          shown.replaceWith(document.adoptNode(fresh));
        }
      } catch (e) {
        // The driver is gone or busy: what is shown stays, and the next round tries again.
      }
    }
    plan();
  }
  function plan() {
    if (report(document).dataset.live === "true") {
      setTimeout(follow, PERIOD_MILLIS);
    }
  }
  plan();
})();
