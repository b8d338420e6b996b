import { execFileSync } from "node:child_process";

export interface Entry {
  name: string;
  content?: string;
  /** file (default), dir, sym; of tar also lnk, fifo, chr. */
  type?: string;
  target?: string;
  mode?: number;
}

export interface ArchiveSpec {
  kind: "tar.gz" | "tar" | "zip";
  format?: "gnu" | "pax";
  /** A zip archive that is written into a pipe: each entry's sizes stand behind its data. */
  isStreamed?: boolean;
  entries: readonly Entry[];
}

const PROGRAM = `
import base64, io, json, sys, tarfile, zipfile
kinds = {"file": tarfile.REGTYPE, "dir": tarfile.DIRTYPE, "sym": tarfile.SYMTYPE, "lnk": tarfile.LNKTYPE, "fifo": tarfile.FIFOTYPE, "chr": tarfile.CHRTYPE}
def tar(spec, out):
    mode = "w|gz" if spec["kind"] == "tar.gz" else "w|"
    form = tarfile.GNU_FORMAT if spec.get("format") == "gnu" else tarfile.PAX_FORMAT
    with tarfile.open(fileobj=out, mode=mode, format=form) as archive:
        for entry in spec["entries"]:
            info = tarfile.TarInfo(entry["name"])
            info.type = kinds[entry.get("type", "file")]
            info.linkname = entry.get("target", "")
            info.mode = entry.get("mode", 0o644)
            data = entry.get("content", "").encode()
            info.size = len(data) if info.isreg() else 0
            archive.addfile(info, io.BytesIO(data))
class Pipe:
    def __init__(self, out):
        self.write, self.flush = out.write, out.flush
def zip(spec, out):
    with zipfile.ZipFile(Pipe(out) if spec.get("isStreamed") else out, "w") as archive:
        for entry in spec["entries"]:
            info = zipfile.ZipInfo(entry["name"])
            kind = {"file": 0o100000, "dir": 0o040000, "sym": 0o120000}[entry.get("type", "file")]
            info.external_attr = (kind | entry.get("mode", 0o644)) << 16
            info.compress_type = zipfile.ZIP_DEFLATED
            archive.writestr(info, entry.get("content", ""))
for spec in json.load(sys.stdin):
    out = io.BytesIO()
    (zip if spec["kind"] == "zip" else tar)(spec, out)
    print(base64.b64encode(out.getvalue()).decode())
`;

/** Archives as other programs make them, hostile ones included; many at once, as starting Python takes a while. */
export function makeArchives(specs: readonly ArchiveSpec[]): Buffer[] {
  const options = { input: JSON.stringify(specs), maxBuffer: 64 * 1024 * 1024 };
  const lines = execFileSync("python3", ["-W", "ignore", "-c", PROGRAM], {
    ...options,
    stdio: ["pipe", "pipe", "ignore"],
  });
  return lines
    .toString()
    .trim()
    .split("\n")
    .map((line) => Buffer.from(line, "base64"));
}

export function makeArchive(spec: ArchiveSpec): Buffer {
  return makeArchives([spec])[0] ?? Buffer.alloc(0);
}
