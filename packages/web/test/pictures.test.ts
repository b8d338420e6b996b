import { readdirSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { PICTURES } from "../testing/pictures.ts";

const docs = join(import.meta.dirname, "../../../docs");
const folder = join(docs, "images/console");
const MOST_BYTES = 200_000;

it("the tour has each picture that the script takes, in its order, and no other; none is large", () => {
  const names = PICTURES.map(({ name }) => `${name}.png`);
  expect(readdirSync(folder).sort()).toEqual(names.toSorted());
  const tour = readFileSync(join(docs, "guides/console-tour.md"), "utf8");
  const shown = [...tour.matchAll(/!\[([^\]]+)\]\(\.\.\/images\/console\/([\w-]+\.png)\)/g)];
  expect(shown.map(([, , name]) => name)).toEqual(names);
  for (const [, words = "", name = ""] of shown) {
    const bytes = readFileSync(join(folder, name));
    expect([name, bytes.subarray(1, 4).toString(), statSync(join(folder, name)).size < MOST_BYTES]).toEqual([
      name,
      "PNG",
      true,
    ]);
    // Wide enough to be read, and described for those who do not see it.
    expect([name, bytes.readUInt32BE(16), words.length > 20]).toEqual([name, 1280, true]);
  }
  expect(readFileSync(join(docs, "../README.md"), "utf8")).toContain("](docs/images/console/review.png)");
});
