import type { Insertion } from "./copy-repository.ts";

/** A check type `file_smaller`, added as docs/contributing.md says. */
export const FILE_SMALLER_CHECK: { files: Record<string, string>; insertions: readonly Insertion[] } = {
  files: {
    "packages/drydock/src/engine/verify/check-types/file-smaller-check.ts": `import { failed, passed } from "../check-finding.ts";
import type { DescriptorOf } from "./check-descriptor.ts";
import { findPathProblem } from "./check-path.ts";
import { readCheckedFile } from "./read-checked-file.ts";

export const fileSmallerCheck: DescriptorOf<"file_smaller"> = {
  async judge({ path, bytes }, context) {
    const file = await readCheckedFile(context, path);
    if (!file.ok) return file.finding;
    const size = file.bytes.length;
    return size < bytes ? passed(\`\${path} is small.\`) : failed("too_large", \`\${path} has \${size} bytes.\`, { size });
  },
  refuse: ({ path }, { rules }) => findPathProblem(path, rules),
  runs: false,
  isJudgedByStatus: false,
  comparesTrees: false,
  prompt: '{"type":"file_smaller","path","bytes"}',
  rule: "A file has to be small.",
  isAboutPath: true,
};
`,
  },
  insertions: [
    {
      file: "packages/protocol/src/check.ts",
      before: '  z.strictObject({\n    type: ofType("unchanged"',
      text: `  z.strictObject({
    type: ofType("file_smaller", "The file must be smaller than a size."),
    path,
    bytes: z.number().int().positive().describe("What the file must be smaller than, in bytes."),
    ...named,
  }),
`,
    },
    {
      file: "packages/drydock/src/engine/verify/check-types/check-types.ts",
      before: 'import { httpCheck } from "./http-check.ts";',
      text: 'import { fileSmallerCheck } from "./file-smaller-check.ts";\n',
    },
    {
      file: "packages/drydock/src/engine/verify/check-types/check-types.ts",
      before: "  unchanged: unchangedCheck,",
      text: "  file_smaller: fileSmallerCheck,\n",
    },
    {
      file: "packages/drydock/test/verify/checks.test.ts",
      before: "    // One of each type; refusals.test.ts has the ways around a rule.",
      text: `    [{ type: "file_smaller", path: "main.py", bytes: 10_000 }, "passed", "passed"],
    [{ type: "file_smaller", path: "main.py", bytes: 1 }, "failed", "too_large"],
    [{ type: "file_smaller", path: "../main.py", bytes: 1 }, "refused", "illegal_path"],
`,
    },
    {
      file: "docs/guides/verify.md",
      before: "| `unchanged` |",
      text: "| `file_smaller` | `path`, `bytes` | the file is smaller |\n",
    },
  ],
};
