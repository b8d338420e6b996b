import { expect, test } from "vitest";
import { readAttachments } from "./read-attachments.ts";
import type { AttachedFile } from "./task-options.ts";

const read = (...files: AttachedFile[]) => readAttachments(files, 10);
const empty = (name: string) => ({ name, content: "" });

test.each([["../x"], ["/etc/passwd"], ["a/../../x"], ["."], [".."], ["a/"], ["a\0b"], [""], ["\ud800.csv"]])(
  "an attachment can't be called %j",
  (name) => {
    expect(() => read(empty(name))).toThrow("can't be used");
  },
);

test("a name that no file system takes is refused, and not shown whole", () => {
  for (const name of ["n".repeat(256), "d/".repeat(1000), "é".repeat(128)]) {
    expect(() => read(empty(name))).toThrow(/^The attachment's name .{1,110} can't be used: it is too long\.$/);
  }
  expect(read(empty("é".repeat(127)))).toHaveLength(1);
});

test("a name that begins with two dots is one like others", () => {
  expect(read(empty("..data.csv"), empty("a/../b.csv")).map(({ name }) => name)).toEqual(["..data.csv", "b.csv"]);
});

test("attachments have room and names of their own", () => {
  expect(() => read({ name: "a", content: "12345678901" })).toThrow("too large");
  expect(() => read(empty("a"), empty("./a"))).toThrow("two attachments a");
  expect(() => read(empty("a"), empty("a/b"))).toThrow("a can't be a file and a directory");
  expect(() => read(empty("a/b/c"), empty("a"))).toThrow("a can't be a file and a directory");
});

test("content is what its encoding says, and else refused", () => {
  const content = ({ bytes }: { bytes: Uint8Array }) => Buffer.from(bytes).toString("latin1");
  const encoded = ["aGVsbG8=", "aGVs\nbG8", "_-8"].map((text, at) => ({ name: `${at}`, content: text }));
  const bytes = readAttachments(
    encoded.map((file) => ({ ...file, encoding: "base64" as const })),
    100,
  );
  expect(bytes.map(content)).toEqual(["hello", "hello", "\xff\xef"]);
  for (const wrong of ["not base64!", "a", "a=b=", "aGVsbG8=x"]) {
    expect(() => read({ name: "a.bin", content: wrong, encoding: "base64" })).toThrow("a.bin is not base64");
  }
  expect(() => read({ name: "a.bin", content: 5 } as unknown as AttachedFile)).toThrow("a.bin has no content");
  expect(() => read({ content: "x" } as unknown as AttachedFile)).toThrow("has no name");
});

test.each([[null], ["text"], [{}], [[null]], [["a"]]])("%j is no list of attachments", (wrong) => {
  expect(() => readAttachments(wrong as unknown as AttachedFile[], 10)).toThrow("must be a list of files");
});
