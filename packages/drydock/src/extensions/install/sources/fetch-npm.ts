import { createHash, timingSafeEqual } from "node:crypto";
import { DrydockError } from "@drydock/protocol";
import * as z from "zod";
import type { RegistryOptions } from "../types.ts";

const MB = 1024 * 1024;
const MAX_METADATA_BYTES = 32 * MB;
const MAX_TARBALL_BYTES = 64 * MB;

/** The fields of a registry's answer that are used here. */
const Metadata = z.object({
  "dist-tags": z.record(z.string(), z.string()).default({}),
  versions: z.record(z.string(), z.object({ dist: z.object({ tarball: z.url(), integrity: z.string().optional() }) })),
});

type Ports = Pick<RegistryOptions, "download" | "npmRegistry">;

/** The tarball of an npm package, held against the hash that the registry names. None of its scripts ever runs. */
export async function fetchNpm(
  { download, npmRegistry }: Ports,
  { name, version }: { name: string; version: string },
  signal?: AbortSignal,
): Promise<Uint8Array> {
  const address = await npmRegistry(name);
  if (address === null) {
    throw new DrydockError(
      "input.invalid",
      `No npm registry is configured, so ${name} can't be fetched.`,
      "Set DRYDOCK_NPM_REGISTRY to the address of one, or `registry=` in ~/.npmrc; or download the package with " +
        "`npm pack` and add the tarball.",
    );
  }
  const registry = address.replace(/\/*$/, "/");
  const url = `${registry}${name.replace("/", "%2f")}`;
  const title = `npm metadata of ${name}`;
  const { tarball, integrity } = readMetadata(
    await download({ url, title, maxBytes: MAX_METADATA_BYTES, signal }),
    name,
    version,
  );
  const place = onRegistry(tarball, registry);
  const bytes = await download({ url: place, title: `npm package ${name}`, maxBytes: MAX_TARBALL_BYTES, signal });
  checkIntegrity(bytes, integrity, `${name}@${version}`);
  return bytes;
}

function readMetadata(bytes: Uint8Array, name: string, version: string) {
  let parsed: z.infer<typeof Metadata>;
  try {
    parsed = Metadata.parse(JSON.parse(Buffer.from(bytes).toString()));
  } catch (cause) {
    const hint = "Check the address of the registry (DRYDOCK_NPM_REGISTRY, or `registry=` in ~/.npmrc).";
    throw new DrydockError("extension.invalid", `The registry's answer for ${name} can't be read.`, hint, {}, cause);
  }
  const tags = parsed["dist-tags"];
  const exact = Object.hasOwn(tags, version) ? (tags[version] ?? "") : version;
  const dist = Object.hasOwn(parsed.versions, exact) ? parsed.versions[exact]?.dist : undefined;
  if (!dist) {
    const known = Object.keys(parsed.versions).slice(-5).join(", ");
    throw new DrydockError(
      "extension.not_found",
      `The registry has no version ${version} of ${name}.`,
      `Give an exact version or a tag; the last ones are ${known || "none"}.`,
    );
  }
  return dist;
}

/** Whatever a package's metadata says, only the registry that was configured is asked. */
function onRegistry(tarball: string, registry: string): string {
  const url = new URL(tarball);
  const own = new URL(registry);
  url.protocol = own.protocol;
  url.host = own.host;
  url.port = own.port;
  url.username = "";
  url.password = "";
  return url.href;
}

function checkIntegrity(bytes: Uint8Array, integrity: string | undefined, what: string): void {
  const known = (integrity ?? "").split(/\s+/).map((entry) => /^(sha256|sha384|sha512)-([A-Za-z0-9+/=]+)/.exec(entry));
  const strongest = known
    .filter((match) => match !== null)
    .toSorted((a, b) => ((a[1] ?? "") < (b[1] ?? "") ? 1 : -1))[0];
  const [, algorithm, expected] = strongest ?? [];
  if (!algorithm || !expected) {
    const hint = "Download it with `npm pack`, look at it, and add the tarball.";
    throw new DrydockError(
      "extension.invalid",
      `The npm registry gives no checksum for ${what}, so the download can't be checked.`,
      hint,
    );
  }
  const actual = createHash(algorithm).update(bytes).digest();
  const wanted = Buffer.from(expected, "base64");
  if (actual.length === wanted.length && timingSafeEqual(actual, wanted)) return;
  throw new DrydockError(
    "extension.invalid",
    `${what} is not what the registry says it is: its ${algorithm} is ${actual.toString("base64")}, not ${expected}.`,
    "Do not use it. Try again later, or tell the operator of the registry.",
  );
}
