/** Finds expectations in statements: assert, checks that raise or exit, handlers of exceptions that must come, doctests. */
export const STATEMENTS = String.raw`
EXITS = {"exit", "_exit", "quit", "SystemExit"}
FAILURES = {"AssertionError", "SystemExit", "Exception", "RuntimeError", "Failed"}

def exits(node):
    """sys.exit(1), but not sys.exit() and sys.exit(0)"""
    return call_name(node) in EXITS and node.args and not (isinstance(node.args[0], ast.Constant) and not node.args[0].value)

def fails(statement):
    """Whether a statement ends a check as failed."""
    if isinstance(statement, ast.Raise) and statement.exc is not None:
        raised = statement.exc
        name = call_name(raised) or name_of(raised)
        return bool(exits(raised)) if name == "SystemExit" else name in FAILURES or "fail" in name.lower()
    if isinstance(statement, ast.Assert):
        return isinstance(statement.test, ast.Constant) and not statement.test.value
    if isinstance(statement, ast.Expr) and isinstance(statement.value, ast.Call):
        return bool(exits(statement.value)) or call_name(statement.value) == "fail"
    return False

def counts(statement):
    """Whether a statement notes a failure for later: errors += 1, failures.append(...), ok = False"""
    if isinstance(statement, ast.AugAssign):
        return True
    if isinstance(statement, ast.Assign):
        return isinstance(statement.value, ast.Constant)
    return isinstance(statement, ast.Expr) and call_name(statement.value) in ("append", "add")

def plain_name(node):
    """A condition that only repeats what was found out before: failures, not ok, len(failures) > 0"""
    return all(isinstance(part, (ast.Name, ast.UnaryOp, ast.Not, ast.Load, ast.BoolOp, ast.And, ast.Or, ast.Constant, ast.Compare,
                                 ast.cmpop, ast.Attribute))
               or isinstance(part, ast.Call) and call_name(part) in ("len", "bool", "int", "any", "all")
               for part in ast.walk(node))

def spoil_helpers(source, node):
    """same(add(2, 3), 5): a function of somebody's own that is given a result and what to expect of it."""
    groups = []
    for child in ast.walk(node) if node.name.lower().startswith("test") else ():
        call = child.value if isinstance(child, ast.Expr) and isinstance(child.value, ast.Call) else None
        values = [] if call is None else [value for value in call.args if not isinstance(value, ast.Starred)]
        if len(values) > 1 and any(isinstance(value, ast.Call) for value in values):
            groups.append(change_first(source, [value for value in values[::-1] if not calls(value)], False))
    return [group for group in groups if group]

CATCHES = re.compile(r"AssertionError|raises\(\s*(?:Base)?Exception\b|except\s*(?:(?:Base)?Exception\b[^:]*)?:")

def list_callbacks(source, test):
    """Functions of a test that it hands to somebody. What stands in a branch may well not be reached."""
    if CATCHES.search(source.text(test)):
        return
    used = {node.id for node in ast.walk(test) if isinstance(node, ast.Name)}
    for node in ast.walk(test):
        if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef)) and node is not test and node.name in used:
            yield node

def spoil_callbacks(source, test):
    """Each expectation of a callback by itself: whoever calls it must not keep its failure to himself."""
    for function in list_callbacks(source, test):
        for statement in function.body:
            edits = None
            if isinstance(statement, ast.Assert) and any(isinstance(node, ast.Name) for node in ast.walk(statement.test)):
                edits = make_false(source, statement.test)
            elif isinstance(statement, ast.Expr) and isinstance(statement.value, ast.Call):
                edits = spoil_call(source, statement.value)
            if edits:
                ALONE.add(edits[0][:2])
                yield edits

class Expectations:
    def __init__(self, source):
        self.source = source
        self.found = []
        # Used only where nothing else is found: with both, one would undo the other.
        self.values = []
        self.endings = []
        self.depth = 0
        self.nested = []

    def visit(self, node, script):
        handler = getattr(self, "visit_" + type(node).__name__, None)
        if handler is None or handler(node, script):
            for child in ast.iter_child_nodes(node):
                self.visit(child, script)

    def visit_FunctionDef(self, node, script):
        """A function inside a test: what it raises may be caught, and be what the spoiled test then expects."""
        self.depth += 1
        before, self.found = self.found, []
        for child in ast.iter_child_nodes(node):
            self.visit(child, script)
        self.depth -= 1
        own = [group for group in self.found if group]
        if self.depth:
            self.nested += own
            self.found = before
        else:
            callbacks = list(spoil_callbacks(self.source, node)) if own and self.nested else []
            self.found = before + (own + callbacks or self.nested or spoil_helpers(self.source, node))
            self.nested = []
        return False

    visit_AsyncFunctionDef = visit_FunctionDef

    def visit_For(self, node, script):
        before = dict(BOUND)
        BOUND.update(bind_rows(node.target, list_rows(self.source, node.iter) or []))
        for child in ast.iter_child_nodes(node):
            self.visit(child, script)
        BOUND.clear()
        BOUND.update(before)
        return False

    def visit_JoinedStr(self, node, script):
        return False

    def visit_Assert(self, node, script):
        self.found.append(make_false(self.source, node.test))
        return False

    def visit_Call(self, node, script):
        self.found.append(spoil_call(self.source, node))
        if script and exits(node):
            self.add_ending(node.args[0])
        return True

    def visit_If(self, node, script):
        if isinstance(node.test, ast.Compare) and name_of(node.test.left) == "__name__":
            # Whether the file is run as a program is no expectation.
            return True
        noted = counts if script else (lambda statement: False)
        edits = None
        if any(fails(statement) or noted(statement) for statement in node.body):
            edits = make_true(self.source, node.test)
        elif any(fails(statement) or noted(statement) for statement in node.orelse):
            edits = make_false(self.source, node.test)
        elif any(isinstance(part, ast.If) and any(fails(statement) for statement in part.body) for part in node.body):
            edits = compared(self.source, node.test, False)
        is_ending = script and plain_name(node.test) and any(map(fails, node.body + node.orelse))
        (self.endings if is_ending else self.found).append(edits)
        return True

    def visit_Try(self, node, script):
        if any(fails(statement) for statement in node.body + node.orelse):
            for handler in node.handlers:
                if handler.type is not None and "AssertionError" not in self.source.text(handler.type):
                    self.found.append([self.source.replace(handler.type, spare_classes(node, ERRORS)[0])])
        return True

    def visit_Compare(self, node, script):
        if len(node.ops) == 1 and isinstance(node.ops[0], (ast.Eq, ast.NotEq)) and name_of(node.left) != "__name__":
            right = node.comparators[0]
            self.values.append(change_literal(self.source, right) or change_literal(self.source, node.left)
                               or (wrap_other(self.source, node.left, right) if script else None))
        return True

    def visit_Return(self, node, script):
        if isinstance(node.value, ast.IfExp):
            self.add_ending(node.value)
        return True

    def add_ending(self, node):
        if isinstance(node, ast.IfExp) and plain_name(node.test):
            self.endings.append(negate(self.source, node.test))
        elif not isinstance(node, ast.Constant) and plain_name(node):
            self.endings.append(self.source.wrap(node, "not (", ")"))

    def groups(self):
        for groups in (self.found, self.values, self.endings):
            groups = [group for group in groups if group]
            if groups:
                return groups
        return []

def spoil_doctests(source):
    groups = []
    for node in ast.walk(source.tree):
        if not isinstance(node, (ast.Module, ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)) or not node.body:
            continue
        first = node.body[0]
        if isinstance(first, ast.Expr) and isinstance(first.value, ast.Constant) and isinstance(first.value.value, str):
            groups += [[edit] for edit in doctest_edits(source.data, source.start(first.value), source.end(first.value))]
    return groups

def doctest_edits(data, start, end):
    """One edit for each example that shows an output: in the last line of it that holds a letter or a digit."""
    edits, wanted, inside, at = [], None, False, start
    for line in data[start:end].splitlines(keepends=True) + [b""]:
        text = line.strip().lstrip(b"'\"rR")
        if text.startswith(b">>>") or inside and text.startswith(b"...") and wanted is None:
            if text.startswith(b">>>") and wanted:
                edits.append(wanted)
            inside, wanted = b"SKIP" not in line, None
        elif not text.strip(b"'\""):
            if wanted:
                edits.append(wanted)
            inside, wanted = False, None
        elif inside and b"<BLANKLINE>" not in line:
            spots = [spot for spot in re.finditer(rb"[A-Za-z0-9]", line) if line[spot.start() - 1:spot.start()] != b"\\"]
            if spots:
                place = at + spots[-1].start()
                wanted = (place, place + 1, next_letter(spots[-1].group().decode()))
        at += len(line)
    return edits

def spoil_tests(source):
    if source.tree is None:
        return [[edit] for edit in doctest_edits(source.data, 0, len(source.data))]
    script = any(exits(node) for node in ast.walk(source.tree) if isinstance(node, (ast.Call, ast.Raise)))
    expectations = Expectations(source)
    expectations.visit(source.tree, script)
    return expectations.groups() + spoil_doctests(source)
`;
