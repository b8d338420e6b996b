"""Runs a command beside its services and collects what the hooks in its processes report.

waiting.py comes before it, in the same program. It runs as python3 -I -S: no file of the tree can stand in for modules.
The request comes by standard input. The report is the last line of stderr, after a marker that only its caller knows.
When time is nearly up a report goes out early: the sandbox ends everything at its deadline without asking."""

import os
import sys
import time
from _json import encode_basestring_ascii as quote

START = time.monotonic()
# JSON as our own program writes it is a literal of Python's, too. Loading json for it takes as long as starting Python.
request = eval(sys.stdin.buffer.read().decode(), {"__builtins__": {}, "true": True, "false": False, "null": None})
MOST_BYTES = 16 << 20
MOST_SENT_BYTES = 4 << 20
MINOR_VERSIONS = range(8, 20)


def to_json(value):
    if isinstance(value, str):
        return quote(value)
    if isinstance(value, dict):
        return "{%s}" % ",".join("%s:%s" % (quote(key), to_json(each)) for key, each in value.items())
    if isinstance(value, (list, tuple)):
        return "[%s]" % ",".join(map(to_json, value))
    if value is None or value is True or value is False:
        return {None: "null", True: "true", False: "false"}[value]
    return repr(value)


def write(path, text):
    with open(path, "w", encoding="utf-8", errors="surrogatepass") as file:
        file.write(text)


def lay_hooks():
    """Writes the hooks to a fresh directory. Returns where they report, and the variables that load them."""
    temporary = os.path.realpath(os.environ.get("TMPDIR", "/tmp"))
    # What measures coverage leaves installed packages out by itself.
    base = "%s/.%s/node_modules" % (temporary, os.urandom(8).hex())
    hooks, user, reports = base + "/h", base + "/u", base + "/r"
    site = user + "/lib/python3/site-packages"
    os.makedirs(site, 0o700)
    for directory in (hooks, reports, reports + "/starters"):
        os.mkdir(directory, 0o700)
    settings = {
        "workspace": os.path.realpath(os.getcwd()),
        "reports": reports,
        "temporary": temporary,
        "hooks": hooks,
        "userSite": user + "/lib/python%d.%d/site-packages",
        "record": request["mode"] != "report",
        "decisions": request["mode"] == "decisions",
    }
    hook = hooks + "/hook.py"
    begin = {
        "hook.py": "SETTINGS = %r\n" % (settings,),
        "sitecustomize.py": "HOOK = %r\n" % hook,
        "hook.cjs": "const SETTINGS = %s;\n" % to_json(settings),
    }
    for name, text in request["hooks"].items():
        write(hooks + "/" + name, begin.get(name, "") + text)
    load = (
        "try:\n with open(%r, encoding='utf-8') as file:\n  code = compile(file.read(), %r, 'exec')\n"
        " exec(code, {'__name__': 'witness'})\nexcept Exception:\n pass" % (hook, "<witness hook.py>")
    )
    write(site + "/witness.pth", "import sys; exec(%r, {})\n" % load)
    own = os.environ.get("PYTHONUSERBASE")
    for minor in MINOR_VERSIONS:
        os.symlink("python3", "%s/lib/python3.%d" % (user, minor))
        if own:
            keep_user_site("%s/lib/python3.%d/site-packages" % (own, minor), site)
    before = os.environ.get("PYTHONPATH")
    require = '--require "%s/hook.cjs"' % hooks.replace("\\", "\\\\").replace('"', '\\"')
    added = {
        "PYTHONPATH": hooks + (":" + before if before else ""),
        "PYTHONUSERBASE": user,
        "NODE_OPTIONS": (os.environ.get("NODE_OPTIONS", "") + " " + require).strip(),
    }
    return reports, {**added, **lay_node(base, require)}


def keep_user_site(before, site):
    """What led Python to the packages of the project still does, after the hook: both take the same place."""
    try:
        with open(before + "/project.pth", encoding="utf-8") as file:
            write(site + "/zz-project.pth", file.read())
    except OSError:
        pass


def lay_node(base, require):
    """A command or script that sets NODE_OPTIONS itself loses the hook, unless the program that it finds adds it
    again."""
    texts = [request["command"]]
    for path in ["package.json"] + [line[1] for line in files_named_in(request["command"])]:
        try:
            with open(path, encoding="utf-8", errors="replace") as file:
                texts.append(file.read(1 << 20))
        except OSError:
            pass
    path = os.environ.get("PATH", os.defpath)
    node = next(
        (place for place in (directory + "/node" for directory in path.split(":")) if os.access(place, os.X_OK)), None
    )
    if node is None or not any("NODE_OPTIONS" in text for text in texts):
        return {}
    os.mkdir(base + "/b", 0o700)
    write(
        base + "/b/node",
        """#!/bin/sh
case "$NODE_OPTIONS" in *%s*) ;; *) NODE_OPTIONS="$NODE_OPTIONS "'%s'; export NODE_OPTIONS;; esac
exec '%s' "$@"
"""
        % (os.path.basename(os.path.dirname(base)), require, node),
    )
    os.chmod(base + "/b/node", 0o700)
    return {"PATH": base + "/b:" + path}


def start(environment):
    nothing = os.open("/dev/null", os.O_RDONLY)
    # The project's own programs are for the command: what starts it is the system's.
    bash = next((place for place in ("/usr/bin/bash", "/bin/bash") if os.access(place, os.X_OK)), "bash")
    shell = [bash, "--noprofile", "--norc", "-c", request["command"]]
    pid = os.fork()
    if pid == 0:
        try:
            # Who observes the run reads the name of the program from this memory, and as an ordinary user it can't read
            # what is hidden. No foreign process is there yet, and the program that it becomes has a memory of its own.
            set_visible(1)  # noqa: F821  (of hide.py, which comes before it as well)
            os.dup2(nothing, 0)
            os.execvpe(bash, shell, environment)
        finally:
            os._exit(127)
    return pid


def collect(reports):
    """All lines of all processes, each once, and whether something was left out."""
    lines, size, truncated = {}, 0, False
    for entry in sorted(os.scandir(reports), key=lambda entry: entry.name):
        if not entry.name.endswith(".jsonl") or not entry.is_file(follow_symlinks=False):
            continue
        with open(entry.path, "rb") as file:
            text = file.read(MOST_BYTES - size + 1)
        size += len(text)
        if size > MOST_BYTES:
            return list(lines), True
        for line in text.splitlines():
            truncated = truncated or line == b'["truncated"]'
            lines[line] = None
    return list(lines), truncated


def name_broken(lines):
    """The tests of files that could not be imported."""
    named = []
    reports = [line for line in lines if line.startswith(b'["broken"')]
    if not reports:
        return named
    import json

    broken = [json.loads(line) for line in reports]
    scope = {}
    exec(request["naming"], scope)
    for _, runner, file, functions, classes in broken:
        try:
            with open(file, "rb") as opened:
                names = scope["name_tests"](runner, opened.read(), functions, classes)
        except (OSError, ValueError, SyntaxError, RecursionError):
            continue
        named.extend([runner, file + "::" + name, file] for name in names)
    return named


def files_named_in(command):
    """What the command line names has no reader in the workspace."""
    words = command
    for mark in "'\"`;&|()<>=$\n":
        words = words.replace(mark, " ")
    root = os.path.realpath(os.getcwd()) + "/"
    for word in set(words.split()) | ({"Makefile", "makefile", "GNUmakefile"} if "make" in words.split() else set()):
        path = os.path.normpath(os.path.join(root, word))
        if path.startswith(root) and os.path.isfile(path):
            yield ["file", path[len(root) :], "run", None]


def find_junit():
    """Files that the command is to write, with what tells one state of them from another."""
    if not request.get("junit"):
        return {}
    import glob

    root = os.path.realpath(os.getcwd()) + "/"
    found = {}
    for path in glob.glob(root + request["junit"], recursive=True):
        whole = os.path.realpath(path)
        if whole.startswith(root) and os.path.isfile(whole):
            about = os.stat(whole)
            found[whole[len(root) :]] = (about.st_mtime_ns, about.st_ctime_ns, about.st_ino, about.st_size)
    return found


def read_junit(before):
    """Those that this run wrote, and whether some were left out."""
    files, size = [], 0
    for path, state in sorted(find_junit().items()):
        if before.get(path) == state:
            continue
        with open(path, "rb") as file:
            text = file.read(MOST_BYTES - size + 1)
        size += len(text)
        if size > MOST_BYTES:
            return files, True
        files.append({"path": path, "text": text.decode("utf-8", "replace")})
    return files, False


def pack(content):
    """Compressed; None where that is too much to send."""
    import binascii
    import zlib

    packed = zlib.compress(content, 6)
    return binascii.b2a_base64(packed, newline=False).decode() if len(packed) <= MOST_SENT_BYTES else None


def send(exit_code, services, reports, junit_before, stalled=False):
    found = {
        "exitCode": exit_code,
        "stalled": stalled,
        "services": [service.tell() for service in services],
        "root": os.path.realpath(os.getcwd()),
    }
    lines, found["truncated"] = [], False
    if reports is not None:
        try:
            lines, found["truncated"] = collect(reports)
            found["named"] = name_broken(lines)
        except Exception as error:
            # The command removed or replaced its own reports.
            found["truncated"] = True
            found["problem"] = "%s: %s" % (type(error).__name__, error)
    found["lines"] = pack(b"\n".join(lines))
    if request.get("junit"):
        try:
            files, cut = read_junit(junit_before)
        except OSError:
            files, cut = [], True
        found["junit"] = pack(to_json(files).encode())
        found["truncated"] = found["truncated"] or cut
    for name in ("lines", "junit"):
        if name in found and found[name] is None:
            found[name], found["truncated"] = pack(b"[]" if name == "junit" else b""), True
    sys.stderr.write("\n" + request["marker"] + to_json(found) + "\n")
    sys.stderr.flush()


def main():
    services = []
    if request["services"]:
        scope = {}
        exec(request["servicesCode"], scope)
        for line in request["services"]:
            services.append(scope["Service"](line))
            services[-1].wait_until_ready(request["readySeconds"])
    status, reports = None, None
    junit_before = find_junit()
    if not any(service.process.poll() not in (None, 0) for service in services):
        reports, added = lay_hooks()
        end = time.monotonic() + request["commandSeconds"]
        pid = start({**os.environ, **added})
        watch = Stalls(reports, request["stallSeconds"]) if request.get("stallSeconds") else None
        status = wait(pid, min(end, START + request["deadlineSeconds"]) - time.monotonic(), watch)
        if status is None:
            send(None, services, reports, junit_before, stalled=watch is not None and watch.found)
            if watch is not None and watch.found:
                return
            status = wait(pid, end - time.monotonic())
            if status is None:
                time.sleep(0.25)  # the sandbox ends what is left, and says why, if its time is over as well
                return
    send(status, services, reports, junit_before)
    for service in services:
        service.stop()


main()
