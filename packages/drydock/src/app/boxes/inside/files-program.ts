/** The part of the program inside a box that works on files. Whatever it is asked, it stays in the box's own directories. */
export const FILES_PROGRAM = String.raw`
import base64, fnmatch, json, os, re, stat, subprocess, sys, threading

ROOT = os.path.realpath(os.environ.get("DRYDOCK_BOX_ROOT") or os.getcwd())
SKILLS = "/opt/skills"
READ_BYTES = 2 << 20
WRITE_BYTES = 8 << 20
LINE_CHARS = 2000
SEARCHED = 20000


class Refused(Exception):
    def __init__(self, kind, message):
        super().__init__(message)
        self.kind = kind


def place(path, writes=False):
    """The real path. A link or '..' that leads out of the box's directories is refused."""
    if not isinstance(path, str) or "\0" in path:
        raise Refused("invalid", "The path must be text without NUL.")
    joined = os.path.join(ROOT, path)
    # A file that is written or removed is its name in its directory, so that a link is followed only where it is read.
    real = os.path.realpath(joined)
    for root in (ROOT,) if writes else (ROOT, SKILLS):
        if real == root or real.startswith(root + "/"):
            return real
    if real == SKILLS or real.startswith(SKILLS + "/"):
        raise Refused("denied", "%s is read-only: skills can't be changed here." % path)
    raise Refused("denied", "%s leads out of the box. Give a path below %s." % (path, ROOT))


def shown(real):
    return os.path.relpath(real, ROOT) if real == ROOT or real.startswith(ROOT + "/") else real


def open_plain(path):
    real = place(path)
    try:
        # A pipe would wait for ever, a device never ends.
        descriptor = os.open(real, os.O_RDONLY | os.O_NONBLOCK | os.O_CLOEXEC | os.O_NOFOLLOW)
    except FileNotFoundError:
        raise Refused("missing", "There is no file %s." % path)
    except IsADirectoryError:
        raise Refused("invalid", "%s is a directory." % path)
    found = os.fstat(descriptor)
    if not stat.S_ISREG(found.st_mode):
        os.close(descriptor)
        kind = "a directory: list it with glob" if stat.S_ISDIR(found.st_mode) else "not a regular file"
        raise Refused("invalid", "%s is %s." % (path, kind))
    return os.fdopen(descriptor, "rb"), found


def read_text(path):
    file, found = open_plain(path)
    with file:
        if found.st_size > READ_BYTES:
            raise Refused("large", "%s has %d bytes, more than %d. Read a part with exec (head, sed), or search it with grep." % (path, found.st_size, READ_BYTES))
        data = file.read(READ_BYTES + 1)
    if b"\0" in data[:8192]:
        raise Refused("binary", "%s is a binary file of %d bytes. Look at it with exec, such as: file, xxd | head." % (path, len(data)))
    try:
        return data.decode("utf-8")
    except UnicodeDecodeError as error:
        raise Refused("binary", "%s is not UTF-8 text (byte %d). Look at it with exec." % (path, error.start))


def do_read(path, offset=1, limit=2000):
    lines = read_text(path).split("\n")
    if lines and lines[-1] == "":
        lines.pop()
    chosen = lines[max(offset - 1, 0) : max(offset - 1, 0) + limit]
    cut = [line if len(line) <= LINE_CHARS else line[:LINE_CHARS] + " [line cut]" for line in chosen]
    rest = len(lines) - (max(offset - 1, 0) + len(chosen))
    return {"lines": cut, "first": max(offset, 1), "total": len(lines), "rest": max(rest, 0)}


def store(path, data):
    if len(data) > WRITE_BYTES:
        raise Refused("large", "The content has %d bytes, more than %d." % (len(data), WRITE_BYTES))
    real = place(path, writes=True)
    if os.path.isdir(real):
        raise Refused("invalid", "%s is a directory." % path)
    existed = os.path.exists(real)
    if existed and not os.path.isfile(real):
        raise Refused("invalid", "%s is not a regular file." % path)
    os.makedirs(os.path.dirname(real), exist_ok=True)
    place(os.path.dirname(real), writes=True)
    with open(real, "wb") as file:
        file.write(data)
    return {"path": shown(real), "bytes": len(data), "created": not existed}


def do_write(path, content=None, base64_content=None):
    return store(path, base64.b64decode(base64_content) if content is None else content.encode())


def do_edit(path, old_text, new_text, replace_all=False):
    text = read_text(path)
    count = text.count(old_text)
    if count == 0:
        loose = " ".join(old_text.split()) in " ".join(text.split())
        more = " It is there with other white space: copy the text as read shows it." if loose else " Read the file first."
        raise Refused("no_match", "old_text is not in %s.%s" % (path, more))
    if count > 1 and not replace_all:
        at = [text[: found.start()].count("\n") + 1 for found in re.finditer(re.escape(old_text), text)][:10]
        raise Refused("many_matches", "old_text is %d times in %s (lines %s). Give more of the text around it, or set replace_all." % (count, path, ", ".join(map(str, at))))
    result = store(path, text.replace(old_text, new_text).encode())
    return {**result, "replaced": count}


def walk(start):
    """Files below a directory, without following links."""
    seen = 0
    for directory, names, files in os.walk(start):
        names[:] = sorted(name for name in names if name not in (".git", "node_modules", "__pycache__"))
        for name in sorted(files):
            seen += 1
            if seen > SEARCHED:
                return
            yield os.path.join(directory, name)


def matcher(pattern):
    """** is any number of directories, * and ? stay in one."""
    parts, at = [], 0
    while at < len(pattern):
        if pattern.startswith("**/", at):
            parts.append("(?:.*/)?")
            at += 3
        elif pattern.startswith("**", at):
            parts.append(".*")
            at += 2
        elif pattern[at] == "*":
            parts.append("[^/]*")
            at += 1
        elif pattern[at] == "?":
            parts.append("[^/]")
            at += 1
        else:
            parts.append(re.escape(pattern[at]))
            at += 1
    return re.compile("".join(parts) + r"\Z", re.S)


def directory_of(path):
    real = place(path)
    if not os.path.isdir(real):
        raise Refused("missing", "There is no directory %s." % path)
    return real


def do_glob(pattern, path=".", limit=500):
    start, fits = directory_of(path), matcher(pattern)
    found = []
    for file in walk(start):
        if fits.match(os.path.relpath(file, start)):
            found.append(shown(file))
            if len(found) > limit:
                break
    return {"paths": found[:limit], "more": len(found) > limit}


def do_grep(pattern, path=".", glob=None, ignore_case=False, limit=200):
    # A program of its own: a pattern that takes for ever is ended with it.
    request = json.dumps({"pattern": pattern, "path": place(path), "glob": glob, "ignore": ignore_case, "limit": limit, "root": ROOT})
    try:
        ran = subprocess.run([sys.executable, "-c", PROGRAM, "grep", request], capture_output=True, timeout=20)
    except subprocess.TimeoutExpired:
        raise Refused("slow", "The search took more than 20 s. Use a simpler pattern, or a narrower path.")
    answer = json.loads(ran.stdout or b"{}")
    if "error" in answer:
        raise Refused("invalid", answer["error"])
    return answer


def grep_main(text):
    request = json.loads(text)
    try:
        wanted = re.compile(request["pattern"], re.I if request["ignore"] else 0)
    except re.error as error:
        return {"error": "The pattern is no regular expression: %s." % error}
    start, fits = request["path"], matcher(request["glob"]) if request["glob"] else None
    files = [start] if os.path.isfile(start) else walk(start)
    found, limit = [], request["limit"]
    for file in files:
        name = os.path.relpath(file, start)
        if fits and not (fits.match(name) or fnmatch.fnmatch(os.path.basename(file), request["glob"])):
            continue
        try:
            if os.path.islink(file) or not os.path.isfile(file) or os.path.getsize(file) > READ_BYTES:
                continue
            with open(file, "rb") as handle:
                data = handle.read()
        except OSError:
            continue
        if b"\0" in data[:8192]:
            continue
        for number, line in enumerate(data.decode("utf-8", "replace").split("\n"), 1):
            if wanted.search(line[:100000]):
                found.append("%s:%d:%s" % (shown(file), number, line[:300]))
                if len(found) > limit:
                    return {"matches": found[:limit], "more": True}
    return {"matches": found, "more": False}


def do_list(path="."):
    real, entries = directory_of(path), []
    with os.scandir(real) as found:
        for entry in found:
            facts = entry.stat(follow_symlinks=False)
            kind = "link" if entry.is_symlink() else "directory" if entry.is_dir() else "file" if entry.is_file() else "other"
            entries.append({"name": entry.name, "kind": kind, "size": facts.st_size, "modified": int(facts.st_mtime * 1000)})
            if len(entries) >= 5000:
                break
    entries.sort(key=lambda entry: entry["name"])
    return {"path": shown(real), "entries": entries}


def do_fetch(path, offset=0, length=None):
    file, found = open_plain(path)
    with file:
        file.seek(offset)
        data = file.read(min(READ_BYTES if length is None else length, READ_BYTES))
    return {"size": found.st_size, "offset": offset, "base64": base64.b64encode(data).decode()}


def do_delete(path):
    # The name itself, not what a link leads to.
    parent = place(os.path.dirname(os.path.join(ROOT, path).rstrip("/")) or ".", writes=True)
    real = os.path.join(parent, os.path.basename(path.rstrip("/")))
    if os.path.basename(path.rstrip("/")) in ("", ".", "..") or real == ROOT:
        raise Refused("invalid", "The box's own directory can't be deleted.")
    if not os.path.lexists(real):
        raise Refused("missing", "There is no file %s." % path)
    if os.path.isdir(real) and not os.path.islink(real):
        if os.listdir(real):
            raise Refused("invalid", "The directory %s is not empty." % path)
        os.rmdir(real)
    else:
        os.unlink(real)
    return {"path": shown(real)}
`;
