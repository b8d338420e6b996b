import { describe, expect, it } from "vitest";
import { defineField, type Field, type FormValues } from "./field.ts";
import { pickText } from "./pick-text.ts";
import { readConfigFields } from "./read-config-fields.ts";
import { findProblems, shownFields, startValues, toSettings, Unread } from "./settings.ts";

const text = (name: string, more: Partial<Field> = {}) => defineField({ name, kind: "text", label: name, ...more });
const names = (fields: readonly Field[]) => fields.map(({ name }) => name);
const NO_CHOICES = { models: [], knowledge: [], secrets: [], lists: {} };

describe("what is shown", () => {
  it("depends on fields that are shown themselves, and never on itself", () => {
    const fields = [
      text("mode"),
      text("key", { showIf: { field: "mode", value: "signed" } }),
      text("header", { showIf: { field: "key", value: "x" } }),
      text("a", { showIf: { field: "b", value: 1 } }),
      text("b", { showIf: { field: "a", value: 1 } }),
    ];
    expect(names(shownFields(fields, { mode: "signed", key: "x" }))).toEqual(["mode", "key", "header"]);
    expect(names(shownFields(fields, { mode: "open", key: "x", a: 1, b: 1 }))).toEqual(["mode"]);
  });

  it("takes any of several values of a condition", () => {
    const fields = [text("key", { showIf: { field: "mode", value: ["basic", "bearer"] } })];
    expect(names(shownFields(fields, { mode: "bearer" }))).toEqual(["key"]);
    expect(names(shownFields(fields, { mode: "none" }))).toEqual([]);
  });
});

describe("what is saved", () => {
  it("keeps what is hidden and what the form does not know, and never what is fixed or only shown", () => {
    const fields = [
      text("open"),
      text("hidden", { showIf: { field: "open", value: "yes" } }),
      text("fixed", { lock: "so it is", initial: "here" }),
      text("__system.x", { isDisplayOnly: true }),
    ];
    const saved = { hidden: "kept", later: 1 };
    const values: FormValues = { ...startValues(fields, saved), open: "no", hidden: "typed", "__system.x": 5 };
    expect(values.fixed).toBe("here");
    expect(toSettings(fields, values, saved)).toEqual({ open: "no", hidden: "kept", later: 1 });
  });

  it("leaves out what was emptied, but not an empty list, which says something", () => {
    const fields = [text("a"), defineField({ name: "b", kind: "list", label: "b" })];
    expect(toSettings(fields, { a: "", b: [] }, { a: "x", b: ["y"] })).toEqual({ b: [] });
  });

  it("is refused while something is missing or can't be read", () => {
    const fields = [
      text("a", { isRequired: true }),
      defineField({ name: "n", kind: "integer", label: "n" }),
      defineField({ name: "s", kind: "select", label: "s", options: [{ value: "x", label: "X" }] }),
      text("c", { isRequired: true, showIf: { field: "a", value: "shown" } }),
    ];
    expect(findProblems(fields, { n: new Unread("1.", "integer"), s: "gone" })).toEqual({
      ...{ a: "required", n: "integer", s: "choice" },
    });
    expect(findProblems(fields, { a: "shown", n: 1, s: "x" })).toEqual({ c: "required" });
  });
});

describe("the form of a runner", () => {
  it("has a field for what can't be understood, as JSON", () => {
    const [known, unknown] = readConfigFields(
      [
        { name: "a", type: "select-llm-model", label: { zh_Hans: "模型" } },
        { name: "b", type: "later" },
      ],
      NO_CHOICES,
      "en",
    );
    expect(known).toMatchObject({ kind: "model", label: "模型" });
    expect(unknown).toMatchObject({ name: "b", kind: "json" });
  });

  it("has its texts in the language that is nearest", () => {
    const texts = { en_US: "Model", "zh-Hans": "模型" };
    expect([pickText(texts, "zh"), pickText(texts, "ja"), pickText({}, "en")]).toEqual(["模型", "Model", null]);
  });
});
