import { execFileSync, spawnSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

/** DSSE as its specification has it, written a second time, with none of our code: Python takes it apart, OpenSSL verifies. */
const PYTHON = `
import base64, json, sys
place = sys.argv[1]
envelope = json.loads(sys.stdin.buffer.read())
body = base64.b64decode(envelope["payload"], validate=True)
kind = envelope["payloadType"].encode()
with open(place + "/pae", "wb") as out:
    out.write(b" ".join([b"DSSEv1", str(len(kind)).encode(), kind, str(len(body)).encode(), body]))
with open(place + "/sig", "wb") as out:
    out.write(base64.b64decode(envelope["signatures"][0]["sig"], validate=True))
sys.stdout.buffer.write(body)
`;

export interface OtherVerdict {
  valid: boolean;
  payload: string;
}

/** What a verifier that is not ours says of an envelope, given the public key as PEM. */
export function verifyWithOpenssl(envelope: string, publicKey: string): OtherVerdict {
  const place = mkdtempSync(join(tmpdir(), "drydock-openssl-"));
  try {
    const payload = execFileSync("python3", ["-c", PYTHON, place], { input: envelope }).toString();
    writeFileSync(join(place, "key.pem"), publicKey);
    const files = ["-inkey", join(place, "key.pem"), "-in", join(place, "pae"), "-sigfile", join(place, "sig")];
    const { status } = spawnSync("openssl", ["pkeyutl", "-verify", "-pubin", "-rawin", ...files]);
    return { valid: status === 0, payload };
  } finally {
    rmSync(place, { recursive: true, force: true });
  }
}
