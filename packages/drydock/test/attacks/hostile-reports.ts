/** Writes frames to the channel by which the interpreter reports, in the interpreter's place. */
export const FORGE = `
import json, os, struct
def forge(kind, payload, length=None):
    data = struct.pack(">IB", len(payload) if length is None else length, ord(kind)) + payload
    while data:
        data = data[os.write(3, data):]
def report(**fields):
    forge("j", json.dumps({"outcome": "ok", **fields}).encode())
`;

interface Hostile {
  title: string;
  code: string;
}

const sizes = [10, 1000, 100_000, 500_000, 1_000_000, 3_000_000, 5_000_000, 30_000_000];
export const shapes: Record<string, string> = {
  "lists in lists": "b'[' * n",
  "objects in objects": `b'{"a":' * (n // 5)`,
  "many lists": "b'[' + b'[],' * (n // 3) + b'0]'",
  "many objects": "b'[' + b'{},' * (n // 3) + b'0]'",
  "many numbers": "b'[' + b'1,' * (n // 2) + b'0]'",
  "many keys": `b'{' + b','.join(b'"%d":1' % i for i in range(n // 12)) + b'}'`,
  "one long text": `b'"' + b'x' * n + b'"'`,
  "quotes and backslashes": `b'"' + b'\\\\' * n + b'"'`,
  "wide characters": `b'"' + b'x' * (n // 2) + '\\u4e2d'.encode() * (n // 6) + b'"'`,
  "no JSON": "b'x' * n",
  zeros: "b'\\0' * n",
};

export const hostile: Hostile[] = [
  ...Object.entries(shapes).flatMap(([shape, text]) =>
    sizes.flatMap((size) => [
      { title: `a report of ${shape}, ${size} bytes`, code: `n = ${size}\nforge("j", ${text})` },
      { title: `a result of ${shape}, ${size} bytes`, code: `n = ${size}\nreport(result=(${text}).decode())` },
    ]),
  ),
  ...sizes.map((size) => ({
    title: `half a report of ${size} bytes`,
    code: `forge("j", b"x" * ${size}, ${size} + 1)`,
  })),
  ...sizes.map((size) => ({ title: `a picture of ${size} bytes`, code: `forge("f", b"a.png\\0" + b"x" * ${size})` })),
  { title: "a length that can't be true", code: 'forge("j", b"x", 0xffffffff)' },
  { title: "a kind that there is not", code: 'forge("z", b"x" * 1000000)' },
  { title: "frames of the warden's", code: 'for kind in "DHoenca": forge(kind, b"{}")' },
  {
    title: "a million pictures without content",
    code: 'for _ in range(1000): os.write(3, struct.pack(">IB", 0, ord("f")) * 1000)',
  },
  { title: "a million reports", code: 'for _ in range(1000): os.write(3, struct.pack(">IB", 0, ord("j")) * 1000)' },
  { title: "pictures with names that lead elsewhere", code: 'for i in range(200): forge("f", b"../../x\\0y")' },
  { title: "a report that is a list", code: 'forge("j", b"[1,2,3]")' },
  {
    title: "fields of the wrong kinds",
    code: "report(result=[[[1]]], variables=[1], threadsLost=3, guard=7, exception=[])",
  },
  { title: "variables by the thousand", code: "report(variables={str(i): 'x' for i in range(100000)})" },
  { title: "a report after the report", code: "report(result='1'); report(result='2')" },
  { title: "the frames of a step", code: 'forge("r", b"")\nforge("y", b"")\nforge("g", b"")' },
  { title: "bytes that are no frames", code: "os.write(3, os.urandom(1000000))" },
];
