import { describe, expect, it } from "vitest";
import { renderTable } from "./render-table.ts";

describe("a table", () => {
  it("aligns its columns, numbers at the right, and leaves nothing at the end of a line", () => {
    const rows = [
      ["ID", "N", "TITLE"],
      ["a", "5", "x"],
      ["longer", "12", ""],
    ];
    expect(renderTable(rows, { right: [1] })).toBe("ID       N  TITLE\na        5  x\nlonger  12\n");
  });

  it("is as wide as what is seen, not as its characters count", () => {
    expect(
      renderTable([
        [{ text: "ab", paint: (text) => `<${text}>` }, "x"],
        ["表", "y"],
        ["é", "z"],
      ]),
    ).toBe("<ab>  x\n表  y\né   z\n");
  });

  it("cuts its last column to the width of the terminal", () => {
    expect(renderTable([["id", "a long title"]], { columns: 12 })).toBe("id  a long …\n");
    expect(renderTable([["id", "表表表表"]], { columns: 10 })).toBe("id  表表…\n");
  });
});
