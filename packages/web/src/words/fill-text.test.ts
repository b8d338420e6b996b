import { expect, it } from "vitest";
import { fillText } from "./fill-text.ts";
import { chooseLanguage } from "./languages.ts";

it("puts values in, and the form that fits the number", () => {
  expect(fillText("{count} {count|run|runs}", { count: 1 }, "en")).toBe("1 run");
  expect(fillText("{count} {count|run|runs}", { count: 1200 }, "en")).toBe("1,200 runs");
  expect(fillText("{count} 件", { count: 3 }, "ja")).toBe("3 件");
  expect(fillText("{name} and {other}", { name: "{other}" }, "en")).toBe("{other} and {other}");
});

it("chooses the first language of the browser that there is", () => {
  expect(chooseLanguage(["fr-FR", "ja-JP", "en"])).toBe("ja");
  expect(chooseLanguage(["zh-Hans-CN"])).toBe("zh");
  expect(chooseLanguage(["constructor", "fr"])).toBe("en");
});
