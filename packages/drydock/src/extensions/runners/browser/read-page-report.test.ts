import { describe, expect, test } from "vitest";
import { readPageReport } from "./read-page-report.ts";

const BOUNDS = { maxTextBytes: 10, maxLinks: 2, width: 100, maxPictureHeight: 50 };
const PAGE = { url: "http://a/", status: 200, headers: {}, title: "t", text: "x", links: [], settled: true, notes: [] };

function told(report: Record<string, unknown>, picture: Buffer = Buffer.alloc(0)): Buffer {
  return Buffer.concat([Buffer.from(`${JSON.stringify({ pictureBytes: picture.length, ...report })}\n`), picture]);
}

function png(width: number, height: number): Buffer {
  const bytes = Buffer.alloc(64);
  bytes.write("89504e470d0a1a0a", "hex");
  bytes.writeUInt32BE(width, 16);
  bytes.writeUInt32BE(height, 20);
  return bytes;
}

describe("what a browser says that may have been taken over", () => {
  test("is read where it has the right shape", () => {
    const picture = png(100, 50);
    expect(readPageReport(told(PAGE, picture), BOUNDS)).toEqual({ report: PAGE, picture });
    const failed = { failure: { kind: "silent" }, notes: ["n"] };
    expect(readPageReport(told(failed), BOUNDS)).toEqual({ report: failed, picture: null });
  });

  test.each([
    ["nothing", Buffer.alloc(0)],
    ["no line", Buffer.from("{}")],
    ["no JSON", Buffer.from("{\n")],
    ["a number for a title", told({ ...PAGE, title: 1 })],
    ["a link that is none", told({ ...PAGE, links: ["x"] })],
    ["no text", told({ ...PAGE, text: undefined })],
    ["a failure of no known kind", told({ failure: { kind: "sudden" } })],
    ["no size of the picture", Buffer.from(`${JSON.stringify(PAGE)}\n`)],
  ])("is nothing where it holds %s", (_, bytes) => {
    expect(readPageReport(bytes, BOUNDS)).toBeNull();
  });

  test.each([
    ["is no PNG", Buffer.alloc(64)],
    ["is wider than the window", png(101, 50)],
    ["is higher than any may be", png(100, 51)],
    ["ends early", png(100, 50).subarray(0, 20)],
  ])("has no picture where it %s", (_, picture) => {
    expect(readPageReport(told(PAGE, picture), BOUNDS)?.picture).toBeNull();
  });

  test("has no picture where there is more of it than was said, or less", () => {
    for (const pictureBytes of [63, 65]) {
      const bytes = Buffer.concat([Buffer.from(`${JSON.stringify({ ...PAGE, pictureBytes })}\n`), png(10, 10)]);
      expect(readPageReport(bytes, BOUNDS)?.picture).toBeNull();
    }
  });

  test("is cut to what was asked for, between characters", () => {
    const links = [1, 2, 3].map((number) => ({ text: "t".repeat(500), href: `http://${number}/${"h".repeat(5000)}` }));
    const read = readPageReport(told({ ...PAGE, text: "äääääää", links }), BOUNDS)?.report;
    expect(read).toMatchObject({ text: "äääää", notes: ["the text was cut at 10 bytes"] });
    expect(read && "links" in read && read.links.map(({ text, href }) => [text.length, href.length])).toEqual([
      [200, 2000],
      [200, 2000],
    ]);
    const odd = readPageReport(told({ ...PAGE, text: "xäääääää" }), BOUNDS)?.report;
    expect(odd).toMatchObject({ text: "xääää" });
  });
});
