import type { Insertion } from "./copy-repository.ts";

const FOLDER = "packages/drydock/src/sandbox/backends/copying";

/** A backend under a name and a level of its own, added as docs/contributing.md says. It is held by Landlock, so that it is real. */
export const COPYING_BACKEND: { files: Record<string, string>; insertions: readonly Insertion[] } = {
  files: {
    [`${FOLDER}/create-backend.ts`]: `import { DrydockError } from "@drydock/protocol";
import type { Backend, BackendParts } from "../backend.ts";
import { createBackend as createBare } from "../bare/create-backend.ts";

export function createBackend(parts: BackendParts): Backend {
  const bare = createBare("landlock", parts);
  return {
    ...bare,
    async execute(request) {
      if (request.work.code === "missing") {
        const data = { missing: "copying" };
        throw new DrydockError("sandbox.unavailable", "The program copying is not installed.", "Install it.", data);
      }
      return { ...(await bare.execute(request)), report: { backend: "copying", level: "copied" } };
    },
    probe: async () => ({ level: "copied", levelReason: null }),
  };
}
`,
    [`${FOLDER}/descriptor.ts`]: `import type { BackendDescriptor } from "../backend.ts";
import { createBackend } from "./create-backend.ts";

export const descriptors: readonly BackendDescriptor[] = [
  {
    backend: "copying",
    levels: ["copied"],
    isFallback: false,
    create: createBackend,
    steps: null,
    doctor: {
      held: "held by copying, as the policy accepts.",
      inspect: () => [{ name: "copying", state: "ok", detail: "installed" }],
      explainReach: ({ level }) => [{ name: "copying level", state: "ok", detail: level }],
    },
  },
];
`,
  },
  insertions: [
    {
      file: "packages/protocol/src/backends.ts",
      before: '"landlock"] as const;',
      text: '"copied", ',
    },
    {
      file: "packages/protocol/src/backends.ts",
      before: "  unconfined: {",
      text: '  copying: { levels: ["copied"], meaning: "on a copy", warning: "ran on a copy" },\n',
    },
    {
      file: "packages/drydock/src/sandbox/backends/registry.ts",
      before: "import { descriptors as namespaces }",
      text: 'import { descriptors as copying } from "./copying/descriptor.ts";\n',
    },
    { file: "packages/drydock/src/sandbox/backends/registry.ts", before: "...bare]", text: "...copying, " },
    {
      file: "docs/security.md",
      before: "| `unconfined` | none |",
      text: "| `copying` | `copied` | a copy, and Landlock |\n",
    },
    { file: "docs/security.md", before: "`landlock`). The default", text: "`copied`, " },
  ],
};
