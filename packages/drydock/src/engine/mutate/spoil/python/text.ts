/**
 * Positions and edits. Python's syntax tree counts lines and UTF-8 bytes; edits are byte offsets into the text, and what
 * comes out is text again. A file in which an edit breaks the syntax keeps its other edits.
 */
export const TEXT = String.raw`
import ast, bisect, collections, hashlib, io, json, re, sys, tokenize, warnings

warnings.simplefilter("ignore")
MAX_BYTES = 1024 * 1024
# Further ways to make an expectation wrong, by where its first edit is made.
FURTHER = {}
# Where expectations are made wrong that are only made wrong by themselves.
ALONE = set()
ASKED = json.loads(sys.stdin.buffer.read())

class Source:
    def __init__(self, text, is_program):
        self.mark = text[:1] if text[:1] == "\ufeff" else ""
        self.data = text[len(self.mark):].encode("utf-8")
        if len(self.data) > MAX_BYTES:
            raise ValueError("too large")
        # A document with doctests in it is no program.
        self.tree = ast.parse(self.data) if is_program else None
        self.starts = [0] + [found.end() for found in re.finditer(rb"\r\n|\r|\n", self.data)]
        # After which bytes a text that is not plain ASCII is how much shorter in UTF-16 units.
        self.ends, self.shorter = [0], [0]
        for found in re.finditer(rb"[\xc2-\xf4][\x80-\xbf]+", self.data):
            size = found.end() - found.start()
            self.ends.append(found.end())
            self.shorter.append(self.shorter[-1] + size - (2 if size == 4 else 1))

    def start(self, node):
        return self.starts[node.lineno - 1] + node.col_offset

    def end(self, node):
        return self.starts[node.end_lineno - 1] + node.end_col_offset

    def text(self, node):
        return self.data[self.start(node):self.end(node)].decode("utf-8")

    def replace(self, node, text):
        return (self.start(node), self.end(node), text)

    def wrap(self, node, before, after):
        """Puts text around a node. A keyword right before it must not grow into the text."""
        at = self.start(node)
        if re.match(rb"\w", self.data[at - 1:at]) and re.match(r"\w", before):
            before = " " + before
        return [(at, at, before), (self.end(node), self.end(node), after)]

    def apply(self, groups):
        """The text with these groups of edits, each of which is taken as a whole or not at all."""
        flat = [edit for group in groups for edit in group]
        out, at = [], 0
        for start, end, text in sorted(flat, key=lambda edit: (edit[0], edit[1] > edit[0])):
            if start < at:
                continue
            out += [self.data[at:start], text.encode("utf-8")]
            at = end
        return b"".join(out + [self.data[at:]])

    def sound(self, groups):
        """The groups without those that break the syntax."""
        if not groups or parses(self.apply(groups)):
            return groups
        half = len(groups) // 2
        kept = self.sound(groups[:half]) + self.sound(groups[half:]) if half else []
        return kept if parses(self.apply(kept)) else []

    def kept(self, groups):
        """The groups that change something and can be taken together."""
        groups = [group for group in groups if group]
        if self.tree is not None:
            groups = self.sound(groups)
        return groups if self.apply(groups) != self.data else []

    def offset(self, at):
        """In UTF-16 units of the whole text, as the caller counts."""
        return len(self.mark) + at - self.shorter[bisect.bisect_right(self.ends, at) - 1]

def parses(data):
    try:
        ast.parse(data)
        return True
    except (SyntaxError, ValueError):
        return False

def name_of(node):
    """The last part of a dotted name: what a call calls."""
    if isinstance(node, ast.Attribute):
        return node.attr
    return node.id if isinstance(node, ast.Name) else ""

def call_name(node):
    return name_of(node.func) if isinstance(node, ast.Call) else ""

def list_tests(source, body, above=""):
    """Where each test function begins and ends, and its name with those of the classes around it."""
    for node in body:
        if isinstance(node, ast.ClassDef):
            yield from list_tests(source, node.body, above + node.name + ".")
        elif isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef)) and node.name.lower().startswith("test"):
            yield (source.start(node), source.end(node), above + node.name, node)

def list_raising(source):
    """What stands behind a call that raises is never reached: the exception is what is expected there."""
    for node in ast.walk(source.tree) if source.tree else ():
        if isinstance(node, (ast.With, ast.AsyncWith)) and any("aises" in source.text(item.context_expr) for item in node.items):
            yield (source.start(node.body[0]), source.end(node.body[-1]))

def name_test(tests, starts, at):
    """The test that stands there, or None: tests come in their order, and none lies in another."""
    _, end, name, _ = tests[bisect.bisect_right(starts, at) - 1] if tests and starts[0] <= at else (0, 0, None, None)
    return name if at < end else None

def describe_groups(source, groups):
    tests = list(list_tests(source, source.tree.body)) if source.tree else []
    starts = [test[0] for test in tests]
    raising = list(list_raising(source))
    for group in sorted(groups, key=lambda group: group[0][0]):
        at = group[0][0]
        yield {
            "test": name_test(tests, starts, at),
            "isReached": not any(start <= at < end for start, end in raising),
            **({"isAlone": True} if group[0][:2] in ALONE else {}),
            "splices": describe_edits(source, group),
            **{name: [describe_edits(source, edits) for edits in some]
               for name, some in zip(("others", "near"), FURTHER.get(group[0][:2], ()))},
        }

def describe_edits(source, group):
    return [{"start": source.offset(start), "end": source.offset(end), "replacement": text} for start, end, text in group]

def find_same(source, same):
    try:
        return same(source) if same and source.tree else []
    except (ValueError, RecursionError, MemoryError):
        return []

def describe_test(source, span, edits, places, words):
    """The edits are looked up by their places, which are in order, and told in their own order."""
    start, end, name, node = span
    inside = places[bisect.bisect_left(places, (start,)):bisect.bisect_left(places, (end,))]
    named = name_otherwise(source, node, words) if edits else None
    return {"name": name, "start": source.offset(start), "end": source.offset(end),
            "same": describe_edits(source, [edits[at] for at in sorted(at for _, at in inside) if edits[at][1] <= end]),
            **({"renamed": {"name": named[0], "splices": describe_edits(source, named[1])}} if named else {})}

def edit_files(edit, same=None, aside_of=None):
    """Runs edit(source) over the files on standard input; it answers with groups of edits. same(source) answers with edits
    that change no value, aside_of(source) with edits of what does not run."""
    done = []
    for file in ASKED["files"]:
        FURTHER.clear()
        ALONE.clear()
        try:
            source = Source(file["text"], file["path"].endswith(".py"))
            groups = source.kept(edit(source))
        except (SyntaxError, ValueError, RecursionError, MemoryError):
            continue
        if groups:
            spans = list(list_tests(source, source.tree.body)) if source.tree else []
            edits = find_same(source, same)
            aside = find_same(source, aside_of)
            words = count_words(source) if edits else None
            places = sorted((edit[0], at) for at, edit in enumerate(edits))
            tests = [describe_test(source, span, edits, places, words) for span in spans]
            done.append({"path": file["path"], "found": list(describe_groups(source, groups)), "tests": tests,
                         "same": describe_edits(source, edits), "aside": describe_edits(source, aside)})
    sys.stdout.write(json.dumps(done))
`;
