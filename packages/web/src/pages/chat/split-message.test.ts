import { expect, it } from "vitest";
import { splitBlocks, splitPieces } from "./split-message.ts";

it("finds code between fences, also where the end has not come yet", () => {
  expect(splitBlocks("See:\n\n```ts\nconst a = 1;\n```\nDone")).toEqual([
    { kind: "text", text: "See:" },
    { kind: "code", text: "const a = 1;", language: "ts" },
    { kind: "text", text: "Done" },
  ]);
  expect(splitBlocks("````\n```\ninside")).toEqual([{ kind: "code", text: "```\ninside", language: "" }]);
  expect(splitBlocks("")).toEqual([]);
});

it("marks code and bold words in a line, and leaves everything else as it is", () => {
  expect(splitPieces("**Now** run `npm i` <b>[x](javascript:y)</b>")).toEqual([
    { kind: "bold", text: "Now" },
    { kind: "plain", text: " run " },
    { kind: "code", text: "npm i" },
    { kind: "plain", text: " <b>[x](javascript:y)</b>" },
  ]);
});
