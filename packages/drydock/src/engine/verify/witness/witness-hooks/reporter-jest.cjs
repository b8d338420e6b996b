"use strict";
const { emit, locate, createIds, createSession, nameTests } = require("./hook.cjs");

const OUTCOMES = { passed: "passed", failed: "failed", pending: "skipped", skipped: "skipped", todo: "skipped", disabled: "skipped" };

/** Tells what jest reports of each file. */
module.exports = class Witness {
  session = createSession("jest");
  nextId = createIds();

  onRunStart() {
    this.session.begin();
  }

  onTestFileStart(test) {
    const at = locate(test.path);
    if (at) emit("begun", "jest", at.name, at.file);
  }

  onTestFileResult(test, result) {
    const at = locate(result.testFilePath ?? test.path);
    if (!at) return;
    emit("ended", "jest", at.name);
    if (result.testExecError || (result.testResults.length === 0 && result.failureMessage)) nameTests("jest", test.path);
    for (const { ancestorTitles, title, status, failing, invocations } of result.testResults) {
      const outcome = failing && status === "passed" ? "expected" : OUTCOMES[status];
      if (!outcome) continue;
      const id = this.nextId(at.name, [...ancestorTitles, title]);
      emit("test", "jest", id, outcome, at.file);
      if (outcome === "passed" && invocations > 1) emit("retried", id);
    }
  }

  onRunComplete() {
    this.session.end();
  }

  getLastError() {}
};
