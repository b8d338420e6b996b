import type { Insertion } from "./copy-repository.ts";

/** A limit on the size of one file, added as docs/contributing.md says. */
export const FILE_SIZE_LIMIT: readonly Insertion[] = [
  {
    file: "packages/protocol/src/limits.ts",
    before: '  concurrency: {\n    name: "concurrency",',
    text: `  fileMb: {
    name: "file_size",
    unit: "megabytes",
    default: 1024,
    max: 4096,
    meaning: "The largest file that a run may write, in megabytes.",
    earlier: 4096,
    reached: {
      message: "The run wrote a file of more than {value}.",
      advice: "Write several smaller files.",
      signs: { errors: ["EFBIG"], signals: ["SIGXFSZ"] },
    },
  },
`,
  },
  {
    file: "packages/drydock/src/sandbox/kernel/contain/limits.py",
    before: "FILES = Limit(",
    text: 'FILE_SIZE = Limit("file_size", "fileBytes", 1 << 20, kind=resource.RLIMIT_FSIZE, signal="SIGXFSZ")\n',
  },
  { file: "packages/drydock/src/sandbox/kernel/contain/limits.py", before: "DISK, FILES)", text: "FILE_SIZE, " },
  {
    file: "packages/drydock/test/dock/exec-limits.test.ts",
    before: 'describe("a limit that is not reached"',
    text: `it.each([
  ["python", "open('big', 'wb').write(b'x' * (2 << 20))"],
  ["node", "require('node:fs').writeFileSync('big', Buffer.alloc(2 << 20))"],
  ["bash", "exec head -c 2000000 /dev/zero > big"],
] as const)("file size: %s", async (language, code) => {
  const run = await endOf(code, { fileMb: 1 }, language);
  expect(run.error).toMatchObject({ code: "limit.file_size", limit: "fileMb", value: 1 });
  expect(await endOf(code, { fileMb: 3 }, language)).toMatchObject({ ok: true });
  expect((await endOf(code, { fileMb: 3, diskMb: 1 }, language)).error).toMatchObject({ code: "limit.disk" });
});

`,
  },
  { file: "test/pins.test.ts", before: '      "limit.concurrency": 4,', text: '      "limit.file_size": 4,\n' },
  { file: "test/pins.test.ts", before: '      "limit.concurrency": 429,', text: '      "limit.file_size": 422,\n' },
  { file: "test/pins.test.ts", before: "      concurrency: [4, 32],", text: "      fileMb: [1024, 4096],\n" },
  {
    file: "docs/guides/policy.md",
    before: "| `limits.concurrency` | 4 |",
    text: "| `limits.fileMb` | 1024 | 4096 | `limit.file_size` | the largest file that a run may write, in megabytes |\n",
  },
];
