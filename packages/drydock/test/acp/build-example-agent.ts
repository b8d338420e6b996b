import { join } from "node:path";
import { build } from "esbuild";

/** One file, so that the sandbox needs nothing but Node to run it. */
export async function buildExampleAgent(): Promise<string> {
  const made = await build({
    entryPoints: [join(import.meta.dirname, "example-agent.ts")],
    ...{ bundle: true, platform: "node", format: "esm", target: "node22", write: false },
  });
  return made.outputFiles[0]?.text ?? "";
}
