import { PROTOCOL_VERSION } from "./messages.ts";

/** What a kernel says of itself. */
export function describeKernel(version: string, pythonVersion: string | null): Record<string, unknown> {
  return {
    status: "ok",
    protocol_version: PROTOCOL_VERSION,
    implementation: "drydock",
    implementation_version: version,
    language_info: {
      name: "python",
      version: pythonVersion ?? "3",
      mimetype: "text/x-python",
      file_extension: ".py",
      pygments_lexer: "python3",
      codemirror_mode: { name: "python", version: 3 },
    },
    banner: `Drydock ${version}: Python ${pythonVersion ?? ""} in a sandbox. A cell that fails leaves everything as it was.`,
    help_links: [],
  };
}
