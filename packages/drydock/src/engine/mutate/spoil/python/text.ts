/**
 * Positions and edits. Python's syntax tree counts lines and UTF-8 bytes; edits are byte offsets into the text, and what
 * comes out is text again. A file in which an edit breaks the syntax keeps its other edits.
 */
export const TEXT = String.raw`
import ast, json, re, sys, warnings

warnings.simplefilter("ignore")
MAX_BYTES = 1024 * 1024

class Source:
    def __init__(self, text, is_program):
        self.mark = text[:1] if text[:1] == "\ufeff" else ""
        self.data = text[len(self.mark):].encode("utf-8")
        if len(self.data) > MAX_BYTES:
            raise ValueError("too large")
        # A document with doctests in it is no program.
        self.tree = ast.parse(self.data) if is_program else None
        self.starts = [0] + [found.end() for found in re.finditer(rb"\r\n|\r|\n", self.data)]

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

    def result(self, groups):
        groups = [group for group in groups if group]
        if self.tree is not None:
            groups = self.sound(groups)
        content = self.apply(groups)
        if not groups or content == self.data:
            return None
        return {"content": self.mark + content.decode("utf-8"), "edits": len(groups)}

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

def pick_last(source, groups):
    """Of each test only the last expectation, and the names of these tests; of a script without tests the last of all."""
    groups = sorted((group for group in groups if group), key=lambda group: group[0][0])
    spans = []
    for node in source.tree.body if source.tree else ():
        for inner in node.body if isinstance(node, ast.ClassDef) else (node,):
            if isinstance(inner, (ast.FunctionDef, ast.AsyncFunctionDef)) and inner.name.lower().startswith("test"):
                spans.append((source.start(inner), source.end(inner), inner.name))
    last = {}
    # What stands behind a call that raises is never reached: the exception is what is expected there.
    raising = [(source.start(node.body[0]), source.end(node.body[-1])) for node in (ast.walk(source.tree) if source.tree else ())
               if isinstance(node, (ast.With, ast.AsyncWith)) and any("aises" in source.text(item.context_expr) for item in node.items)]
    for group in groups:
        if any(start <= group[0][0] < end for start, end in raising):
            continue
        for span in spans:
            if span[0] <= group[0][0] < span[1]:
                last[span] = group
    if last:
        return list(last.values()), sorted({name for _, _, name in last})
    return groups[-1:], []

def edit_files(edit):
    """Runs edit(source) over the files on standard input; it answers with groups of edits."""
    asked = json.loads(sys.stdin.buffer.read())
    done = []
    for file in asked["files"]:
        try:
            source = Source(file["text"], file["path"].endswith(".py"))
            groups = edit(source)
            last, names = pick_last(source, groups)
            if asked.get("pick") == "last":
                groups = last
            found = source.result(groups)
        except (SyntaxError, ValueError, RecursionError, MemoryError):
            continue
        if found:
            done.append(dict(found, path=file["path"], tests=names))
    sys.stdout.write(json.dumps(done))
`;
