import { Readable } from "node:stream";
import type { Dock } from "../../../app/index.ts";
import { isMediaType } from "../../../base/text/index.ts";
import { HttpProblem } from "../guard/http-problem.ts";
import { readRange } from "./read-range.ts";

type Artifact = NonNullable<Awaited<ReturnType<Dock["runs"]["findArtifact"]>>>;

/** The bytes of an artifact, or those of a range. */
export async function answerArtifact(
  dock: Pick<Dock, "runs">,
  artifact: Artifact,
  headers: Headers,
): Promise<Response> {
  const tag = `"${artifact.sha256}"`;
  const common = {
    etag: tag,
    "accept-ranges": "bytes",
    // It was made by untrusted code: a browser saves it, and does not show it as a page of this server.
    "content-type": isMediaType(artifact.mime) ? artifact.mime : "application/octet-stream",
    "content-disposition": `attachment; filename*=UTF-8''${encodeName(artifact.name)}`,
    "content-security-policy": "sandbox; default-src 'none'",
    "x-content-type-options": "nosniff",
  };
  if (headers.get("if-none-match") === tag) return new Response(null, { status: 304, headers: common });
  const isSame = (headers.get("if-range") ?? tag) === tag;
  const range = isSame ? readRange(headers.get("range"), artifact.size) : { kind: "whole" as const };
  if (range.kind === "outside") {
    throw new HttpProblem(
      416,
      { message: `The artifact has ${artifact.size} bytes.`, hint: "Ask for a range within them." },
      { "content-range": `bytes */${artifact.size}` },
    );
  }
  const { start, end } = range.kind === "part" ? range : { start: 0, end: artifact.size };
  const body = Readable.toWeb(
    await dock.runs.streamArtifact(artifact.id, { start, end }),
  ) as ReadableStream<Uint8Array>;
  const length = { "content-length": String(end - start) };
  if (range.kind === "whole") return new Response(body, { headers: { ...common, ...length } });
  const part = { "content-range": `bytes ${start}-${end - 1}/${artifact.size}` };
  return new Response(body, { status: 206, headers: { ...common, ...length, ...part } });
}

function encodeName(name: string): string {
  return encodeURIComponent(name.toWellFormed()).replaceAll(/['()*]/g, (char) => `%${char.charCodeAt(0).toString(16)}`);
}
