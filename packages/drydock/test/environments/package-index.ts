import { createHash } from "node:crypto";
import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { crc32 } from "node:zlib";

export interface PackageIndex {
  readonly url: string;
  /** `127.0.0.1:PORT`, for a policy. */
  readonly host: string;
  /** What was asked for since the start. */
  readonly requests: string[];
  /** Offers a wheel with these files; gives its sha256. */
  add(name: string, version: string, files: Record<string, string>, needs?: readonly string[]): string;
  /** Offers a package that would have to be built. */
  addSource(name: string, version: string): void;
  close(): Promise<void>;
}

/** A package index of one's own, on loopback. */
export async function openPackageIndex(): Promise<PackageIndex> {
  const wheels = new Map<string, Buffer>();
  const requests: string[] = [];
  const server = createServer((request, response) => {
    const path = request.url ?? "";
    requests.push(path);
    const file = wheels.get(path.replace("/files/", ""));
    const name = /^\/simple\/([^/]+)\/$/.exec(path)?.[1];
    const links = [...wheels].filter(([each]) => each.startsWith(`${name}-`));
    if (path.startsWith("/files/") && file) response.end(file);
    else if (name !== undefined && links.length > 0) {
      response.setHeader("content-type", "text/html");
      response.end(
        links.map(([each, bytes]) => `<a href="/files/${each}#sha256=${hash(bytes)}">${each}</a>`).join("\n"),
      );
    } else response.writeHead(404).end();
  }).listen(0, "127.0.0.1");
  await once(server, "listening");
  const host = `127.0.0.1:${(server.address() as AddressInfo).port}`;
  return {
    url: `http://${host}/simple`,
    host,
    requests,
    add(name, version, files, needs = []) {
      const info = `${name}-${version}.dist-info`;
      const wheel = writeZip({
        ...files,
        [`${info}/METADATA`]: `Metadata-Version: 2.1\nName: ${name}\nVersion: ${version}\n${needs.map((each) => `Requires-Dist: ${each}\n`).join("")}`,
        [`${info}/WHEEL`]: "Wheel-Version: 1.0\nGenerator: test\nRoot-Is-Purelib: true\nTag: py3-none-any\n",
        [`${info}/RECORD`]: "",
      });
      wheels.set(`${name}-${version}-py3-none-any.whl`, wheel);
      return hash(wheel);
    },
    addSource(name, version) {
      wheels.set(`${name}-${version}.tar.gz`, Buffer.from("no archive"));
    },
    async close() {
      server.closeAllConnections();
      server.close();
      await once(server, "close");
    },
  };
}

function hash(bytes: Uint8Array): string {
  return createHash("sha256").update(bytes).digest("hex");
}

/** An archive of files that are not compressed. */
function writeZip(files: Record<string, string>): Buffer {
  const parts: Buffer[] = [];
  const directory: Buffer[] = [];
  let offset = 0;
  for (const [path, text] of Object.entries(files)) {
    const [name, content] = [Buffer.from(path), Buffer.from(text)];
    const common = Buffer.alloc(26);
    common.writeUInt16LE(20, 0);
    common.writeUInt32LE(crc32(content), 10);
    common.writeUInt32LE(content.length, 14);
    common.writeUInt32LE(content.length, 18);
    common.writeUInt16LE(name.length, 22);
    const local = Buffer.concat([Buffer.from("PK\x03\x04"), common, name, content]);
    const attributes = Buffer.alloc(14);
    attributes.writeUInt32LE((0o100644 << 16) >>> 0, 6);
    attributes.writeUInt32LE(offset, 10);
    directory.push(Buffer.concat([Buffer.from("PK\x01\x02\x14\x03"), common, attributes, name]));
    parts.push(local);
    offset += local.length;
  }
  const central = Buffer.concat(directory);
  const end = Buffer.alloc(22);
  end.write("PK\x05\x06", 0, "latin1");
  end.writeUInt16LE(directory.length, 8);
  end.writeUInt16LE(directory.length, 10);
  end.writeUInt32LE(central.length, 12);
  end.writeUInt32LE(offset, 16);
  return Buffer.concat([...parts, central, end]);
}
