/**
 * Runs inside the sandbox. It has pip install into a directory of its own and packs what came of it: an index and a few
 * files that hold everything one after the other, since a run's files come out one by one. What it says is not trusted.
 *
 * Compiled files are marked as never to be checked against their sources: those get other times when they are kept.
 */
export const INSTALL_PROGRAM = String.raw`# Installs Python packages for other runs
import compileall, importlib.util, json, os, platform, py_compile, subprocess, sys, sysconfig
request = json.load(sys.stdin)
SITE, REPORT, LIST, PLACE = "/tmp/site", "/tmp/report.json", "/tmp/requirements.txt", "/opt/environment"
PART_BYTES = 16 * 1024 * 1024
if importlib.util.find_spec("pip") is None:
    print("ERROR: this Python has no pip", file=sys.stderr)
    sys.exit(3)
with open(LIST, "w") as file:
    file.write("\n".join(request["requirements"]) + "\n")
words = [sys.executable, "-I", "-m", "pip", "--isolated", "--disable-pip-version-check", "--no-input", "install",
    "--target", SITE, "--requirement", LIST, "--report", REPORT, "--no-cache-dir", "--no-compile", "--no-warn-script-location",
    "--retries", "1", "--timeout", "20", "--progress-bar", "off"]
if request["wheelsOnly"]:
    words += ["--only-binary", ":all:"]
if request["exactly"]:
    words += ["--no-deps", "--require-hashes"]
if request["index"]:
    words += ["--index-url", request["index"]]
done = subprocess.run(words, stdin=subprocess.DEVNULL, stdout=sys.stderr)
if done.returncode:
    sys.exit(1)
compileall.compile_dir(SITE, maxlevels=64, quiet=2, stripdir=SITE, prependdir=PLACE,
    invalidation_mode=py_compile.PycInvalidationMode.UNCHECKED_HASH)
packages = []
with open(REPORT) as file:
    for item in json.load(file)["install"]:
        info = item["download_info"]["archive_info"]
        digest = info.get("hashes", {}).get("sha256") or info["hash"].partition("=")[2]
        packages.append({"name": item["metadata"]["name"], "version": item["metadata"]["version"], "sha256": digest})
files, part, out = [], 0, None
for top, directories, names in os.walk(SITE):
    directories.sort()
    for name in sorted(names):
        path = os.path.join(top, name)
        if os.path.islink(path):
            continue
        if out is None or out.tell() >= PART_BYTES:
            if out: out.close()
            part += 1
            out = open("part-%04d" % part, "wb")
        with open(path, "rb") as file:
            content = file.read()
        executable = bool(os.stat(path).st_mode & 0o100)
        files.append([os.path.relpath(path, SITE), part, out.tell(), len(content), executable])
        out.write(content)
if out: out.close()
with open("index.json", "w") as file:
    json.dump({"python": platform.python_version(), "platform": sysconfig.get_platform(), "packages": packages, "files": files}, file)
`;
