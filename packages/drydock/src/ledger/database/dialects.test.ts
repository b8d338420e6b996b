import { readdirSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { expect, it } from "vitest";

const filesOf = (dialect: string) =>
  readdirSync(fileURLToPath(new URL(`./${dialect}`, import.meta.url)), { withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map(({ name }) => name);

it("the folder of each database holds the same files: what one of them lacks shows", () => {
  expect(filesOf("postgres")).toEqual(filesOf("sqlite"));
});
