import type { ExtensionManifest, ExtensionProblem, InstallStep } from "@drydock/protocol";
import { coversHost, describePathPatternProblem } from "../../policy/index.ts";
import type { HashedFile } from "./hash-files.ts";
import type { Path, YamlFile } from "./read-yaml.ts";

export const PLATFORMS: readonly string[] = ["linux", "linux-x64", "linux-arm64"];
const LOOKS_SECRET = /(SECRET|TOKEN|PASSW|API_?KEY|CREDENTIAL|PRIVATE)/i;
/** What decides which code a program loads is never an extension's to have from outside. */
const LOADS_CODE =
  /^(LD_|DYLD_|GCONV_PATH$|PYTHON(PATH|HOME|STARTUP)$|NODE_OPTIONS$|PERL5(LIB|OPT)$|BASH_ENV$|ENV$|PATH$)/;

/** What the shape alone can't tell about `extension.yaml`. */
export function checkManifest(file: YamlFile<unknown>, manifest: ExtensionManifest, files: readonly HashedFile[]) {
  const problems: ExtensionProblem[] = [];
  const complain = (path: Path, message: string, severity?: "warning") =>
    problems.push(file.complain(path, message, severity));
  const { permissions, install } = manifest;
  permissions.hosts.forEach((host, index) => {
    const problem = describeHostProblem(host);
    if (problem) complain(["permissions", "hosts", index], problem);
  });
  for (const kind of ["read", "write"] as const)
    permissions.paths[kind].forEach((pattern, index) => {
      const problem = describePathPatternProblem(pattern);
      if (problem) complain(["permissions", "paths", kind, index], `${JSON.stringify(pattern)} ${problem}`);
    });
  permissions.environment.forEach((name, index) => {
    const path = ["permissions", "environment", index];
    if (LOADS_CODE.test(name)) complain(path, `${name} decides which code a program loads; it is never passed on`);
    else if (LOOKS_SECRET.test(name))
      complain(path, `${name} looks like a secret; ask for it under permissions.secrets instead`, "warning");
  });
  for (const list of ["tools", "hosts", "environment", "secrets"] as const)
    permissions[list].forEach((entry, index) => {
      if ((permissions[list] as string[]).indexOf(entry) < index)
        complain(["permissions", list, index], `${entry} is listed twice`, "warning");
    });
  checkSteps(install, files, (path, message, severity) => complain(["install", ...path], message, severity));
  return problems;
}

function describeHostProblem(host: string): string | null {
  if (host === "policy") return null;
  if (host.startsWith("*:")) return "names every host; write `policy` to use whichever hosts the owner's policy allows";
  if (coversHost(host, host)) return null;
  return `${JSON.stringify(host)} is not a host:port, such as api.example.org:443 or *.example.org:443, and not \`policy\``;
}

function checkSteps(
  steps: readonly InstallStep[],
  files: readonly HashedFile[],
  complain: (path: Path, message: string, severity?: "warning") => void,
): void {
  const places = new Map(files.map(({ path }) => [path, "a file that the extension brings along"]));
  steps.forEach((step, index) => {
    const to = step.to.replace(/\/+$/, "");
    if (step.unpack === undefined) {
      const taken = findTaken(places, to);
      if (taken) complain([index, "to"], `${to} is taken by ${taken}`);
      if (/^(tools|bin)$/.test(to)) complain([index, "to"], "names a folder; name the file that is put there");
      // Steps for different platforms may put different files into one place.
      if (step.platforms === undefined) places.set(to, `install[${index}]`);
    }
    step.platforms?.forEach((platform, at) => {
      if (!PLATFORMS.includes(platform))
        complain([index, "platforms", at], `${platform} is none of ${PLATFORMS.join(", ")}`);
    });
    if (step.file !== undefined) {
      const found = files.find(({ path }) => path === step.file);
      if (!found) complain([index, "file"], `there is no file ${step.file} in the extension`);
      else if (found.sha256 !== step.sha256)
        complain([index, "sha256"], `is not the hash of ${step.file}, which is ${found.sha256}`);
    }
    if (step.url !== undefined)
      checkAddress(step.url, (message, severity) => complain([index, "url"], message, severity));
  });
}

function findTaken(places: ReadonlyMap<string, string>, to: string): string | undefined {
  for (const [path, what] of places)
    if (path === to || path.startsWith(`${to}/`) || to.startsWith(`${path}/`)) return what;
  return undefined;
}

function checkAddress(text: string, complain: (message: string, severity?: "warning") => void): void {
  const url = URL.parse(text);
  if (url?.username || url?.password) complain("holds a user name or password; leave it out");
  if (url?.protocol === "http:") complain("is not encrypted; the hash still keeps others from changing it", "warning");
}
