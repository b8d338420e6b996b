import { explainYamlError } from "@drydock/protocol";
import { describe, expect, it } from "vitest";
import * as yaml from "yaml";

describe("what a YAML parser finds wrong", () => {
  it.each([
    ["a: [1\n", "the list has no closing ]"],
    ["a: {b: 1\n", "the map has no closing }"],
    ["a: 'x\n", "the text has no closing '"],
    ['a: "x\n', 'the text has no closing "'],
    ["a:\n\tb: 3\n", "a tab is used for indentation"],
    ["a: 1\na: 2\n", "this key is there twice"],
    ["a: b: c\n", "there are two keys in one line, or a line is indented too far"],
    ["a:\n b: 3\n  c: 2\n", "there are two keys in one line, or a line is indented too far"],
    ["a: 1\nb\n", "there is no colon after a key, or no comma between entries"],
    ["a: @b\n", "a value can't start with @"],
    ["a: %b\n", "a value can't start with %"],
    ["a: !!python/object 1\n", "the tag (a word that starts with !) is unknown"],
    ['a: "\\q"\n', "a backslash in double quotes is followed by the wrong character"],
  ])("is said in plain words: %j", (text, what) => {
    const { errors, warnings } = yaml.parseDocument(text, { prettyErrors: false, version: "1.2" });
    const [problem] = [...errors, ...warnings];
    const { message, hint } = explainYamlError(problem ?? { message: "" });
    expect(message).toBe(`not valid YAML: ${what}`);
    expect(hint).toMatch(/\.$/);
  });
});
