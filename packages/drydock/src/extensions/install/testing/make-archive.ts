import { execFileSync } from "node:child_process";

export interface Entry {
  name: string;
  content?: string;
  /** Of tar: file (default), dir, sym, lnk, fifo, chr; of zip: file, dir, sym. */
  type?: string;
  target?: string;
  mode?: number;
}

const TAR = `
import io, json, sys, tarfile
asked = json.load(sys.stdin)
kinds = {"file": tarfile.REGTYPE, "dir": tarfile.DIRTYPE, "sym": tarfile.SYMTYPE, "lnk": tarfile.LNKTYPE, "fifo": tarfile.FIFOTYPE, "chr": tarfile.CHRTYPE}
with tarfile.open(fileobj=sys.stdout.buffer, mode=asked["mode"], format=asked["format"]) as tar:
    for entry in asked["entries"]:
        info = tarfile.TarInfo(entry["name"])
        info.type = kinds[entry.get("type", "file")]
        info.linkname = entry.get("target", "")
        info.mode = entry.get("mode", 0o644)
        data = entry.get("content", "").encode()
        info.size = len(data) if info.isreg() else 0
        tar.addfile(info, io.BytesIO(data))
`;

const ZIP = `
import io, json, sys, zipfile
out = io.BytesIO()
with zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as archive:
    for entry in json.load(sys.stdin)["entries"]:
        info = zipfile.ZipInfo(entry["name"])
        kind = {"file": 0o100000, "dir": 0o040000, "sym": 0o120000}[entry.get("type", "file")]
        info.external_attr = (kind | entry.get("mode", 0o644)) << 16
        info.compress_type = zipfile.ZIP_DEFLATED
        archive.writestr(info, entry.get("content", ""))
sys.stdout.buffer.write(out.getvalue())
`;

function runPython(program: string, asked: unknown): Buffer {
  const options = { input: JSON.stringify(asked), maxBuffer: 256 * 1024 * 1024 };
  return execFileSync("python3", ["-c", program], options);
}

/** Archives as other programs make them, hostile ones included. */
export function makeTar(entries: readonly Entry[], format: "ustar" | "gnu" | "pax" = "pax", packed = true): Buffer {
  const formats = { ustar: 0, gnu: 1, pax: 2 };
  return runPython(TAR, { entries, mode: packed ? "w|gz" : "w|", format: formats[format] });
}

export function makeZip(entries: readonly Entry[]): Buffer {
  return runPython(ZIP, { entries });
}
