import { createRequire } from "node:module";

// vite would load an import of it a second time.
const hook = createRequire(import.meta.url)("./hook.cjs");
const { emit, locate, createIds, createSession, nameTests } = hook;

/** Tells what vitest reports of each file; versions before 3 tell of all files at the end. */
export default class Witness {
  session = createSession("vitest");
  nextId = createIds();
  told = new Set();

  onInit(vitest) {
    this.vitest = vitest;
    this.session.begin();
  }

  onTestModuleStart(module) {
    const at = locate(module.moduleId);
    if (at) emit("begun", "vitest", at.name, at.file);
  }

  onTestModuleEnd(module) {
    this.tell(module.task);
  }

  onFinished(files) {
    for (const file of files ?? []) this.tell(file);
    this.finish();
  }

  onTestRunEnd(modules) {
    for (const module of modules) this.tell(module.task);
    this.finish();
  }

  finish() {
    this.session.end();
    hook.noteGraph?.(this.vitest);
  }

  tell(file) {
    try {
      const at = locate(file.filepath);
      if (!at || this.told.has(file)) return;
      this.told.add(file);
      emit("ended", "vitest", at.name);
      if (file.tasks.length === 0 && file.result?.state === "fail") nameTests("vitest", file.filepath);
      for (const task of file.tasks) this.walk(task, at, []);
    } catch {
      // A version of Vitest with other tasks: a test without an outcome stays unknown, and the run goes on.
    }
  }

  walk(task, at, titles) {
    const path = [...titles, task.name];
    if (task.type === "suite") {
      for (const each of task.tasks) this.walk(each, at, path);
      return;
    }
    const state = task.result?.state;
    const passed = task.fails ? "expected" : "passed";
    const outcome = state === "pass" ? passed : state === "fail" ? "failed" : task.mode === "run" ? null : "skipped";
    const id = this.nextId(at.name, path);
    if (outcome === "passed" && task.result.retryCount > 0) emit("retried", id);
    if (outcome) emit("test", "vitest", id, outcome, at.file);
    else emit("ids", "vitest", [[id, at.file]]);
  }
}
