/**
 * The second part of the Python program that lists edits: which edit is possible at which node. Docstrings, annotations,
 * decorators, assertions, logging and the `__name__` guard are left out: a fault there is none that tests should notice.
 */
export const EDIT_RULES = String.raw`
ARITHMETIC = {ast.Add: ("+", ["-"]), ast.Sub: ("-", ["+"]), ast.Mult: ("*", ["/"]), ast.Div: ("/", ["*"]),
              ast.FloorDiv: ("//", ["/"]), ast.Mod: ("%", ["*"]), ast.Pow: ("**", ["*"]), ast.LShift: ("<<", [">>"]),
              ast.RShift: (">>", ["<<"]), ast.BitAnd: ("&", ["|"]), ast.BitOr: ("|", ["&"]), ast.BitXor: ("^", ["&"])}
COMPARISON = {ast.Lt: ("<", ["<=", ">="]), ast.LtE: ("<=", ["<", ">"]), ast.Gt: (">", [">=", "<="]),
              ast.GtE: (">=", [">", "<"]), ast.Eq: ("==", ["!="]), ast.NotEq: ("!=", ["=="]), ast.Is: ("is", ["is not"]),
              ast.IsNot: ("is not", ["is"]), ast.In: ("in", ["not in"]), ast.NotIn: ("not in", ["in"])}
PAIRS = [("min", "max"), ("any", "all"), ("startswith", "endswith"), ("upper", "lower"), ("lstrip", "rstrip"),
         ("find", "rfind"), ("index", "rindex"), ("ljust", "rjust"), ("union", "intersection"), ("add", "discard"),
         ("removeprefix", "removesuffix"), ("keys", "values"), ("floor", "ceil"), ("sin", "cos")]
SWAPPED = {**dict(PAIRS), **{right: left for left, right in PAIRS}, "sorted": "list", "reversed": "list"}
FUNCTIONS = {"min", "max", "any", "all", "sorted", "reversed"}
LOGGERS = re.compile(r"^(self\.|cls\.)?_?(log|logger|logging|LOG|LOGGER)\.\w+$")

def is_text(node):
    return isinstance(node, ast.JoinedStr) or isinstance(node, ast.Constant) and isinstance(node.value, (str, bytes))

def is_docstring(node):
    return isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant)

class EditRules(ast.NodeVisitor):
    def __init__(self, source):
        self.source = source
        self.edits = []

    def replace(self, node, new, operator):
        self.edits.append((self.source.start(node), self.source.end(node), new, operator))

    def swap_word(self, old, news, left, right, operator):
        """The operator stands somewhere between its operands, beside brackets and comments."""
        found = self.source.find(old.split(), left, right)
        for new in news if found else []:
            self.edits.append((found[0], found[1], new, operator))

    def replace_body(self, statements, new, operator):
        first = min([statements[0]] + list(getattr(statements[0], "decorator_list", [])), key=lambda node: node.lineno)
        if len(statements) > 1 or not isinstance(statements[0], (ast.Pass, ast.Continue, ast.Break)):
            self.edits.append((self.source.start(first), self.source.end(statements[-1]), new, operator))

    def visit_BinOp(self, node):
        old, news = ARITHMETIC.get(type(node.op), ("", []))
        if not (is_text(node.left) or is_text(node.right)):
            self.swap_word(old, news, self.source.end(node.left), self.source.start(node.right), "arithmetic")
        self.generic_visit(node)

    def visit_AugAssign(self, node):
        old, news = ARITHMETIC.get(type(node.op), ("", []))
        news = [new + "=" for new in news] if not is_text(node.value) else []
        self.swap_word(old + "=", news + ["="], self.source.end(node.target), self.source.start(node.value), "assignment")
        self.visit(node.value)

    def visit_Compare(self, node):
        for left, op, right in zip([node.left] + node.comparators, node.ops, node.comparators):
            old, news = COMPARISON[type(op)]
            self.swap_word(old, news, self.source.end(left), self.source.start(right), "comparison")
        for each in [node.left] + node.comparators:
            if not (isinstance(each, ast.Constant) and each.value is None):
                self.visit(each)

    def visit_BoolOp(self, node):
        old, new = ("and", "or") if isinstance(node.op, ast.And) else ("or", "and")
        for left, right in zip(node.values, node.values[1:]):
            self.swap_word(old, [new], self.source.end(left), self.source.start(right), "boolean")
        self.generic_visit(node)

    def visit_UnaryOp(self, node):
        start = self.source.start(node)
        if isinstance(node.op, ast.Not):
            self.edits.append((start, start + 3, "", "boolean"))
        elif isinstance(node.op, (ast.USub, ast.UAdd)):
            self.edits.append((start, start + 1, "+" if isinstance(node.op, ast.USub) else "-", "unary"))
        else:
            self.edits.append((start, start + 1, "", "unary"))
        self.generic_visit(node)

    def visit_Constant(self, node, operator="literal"):
        value = node.value
        if isinstance(value, bool):
            self.replace(node, str(not value), operator)
        elif isinstance(value, int):
            for new in [1] if value == 0 else [value + 1, value - 1]:
                self.replace(node, str(new), operator)
        elif isinstance(value, float) and abs(value) < 1e15:
            self.replace(node, repr(value + 1), operator)
        elif isinstance(value, str):
            self.replace(node, '""' if value else '"changed"', "string" if operator == "literal" else operator)
        elif isinstance(value, bytes):
            self.replace(node, 'b""' if value else 'b"changed"', "string" if operator == "literal" else operator)
        elif value is None:
            self.replace(node, "0", operator)

    def visit_JoinedStr(self, node):
        self.replace(node, '""', "string")
        # Older interpreters give the expressions inside no true positions.
        if sys.version_info >= (3, 12):
            for value in node.values:
                if isinstance(value, ast.FormattedValue):
                    self.visit(value.value)

    def visit_List(self, node):
        if node.elts and isinstance(node.ctx, ast.Load):
            self.replace(node, "[]", "collection")
        self.generic_visit(node)

    def visit_Set(self, node):
        self.replace(node, "set()", "collection")
        self.generic_visit(node)

    def visit_Dict(self, node):
        if node.keys:
            self.replace(node, "{}", "collection")
        self.generic_visit(node)

    def visit_Call(self, node):
        function = node.func
        name = function.id if isinstance(function, ast.Name) else getattr(function, "attr", "")
        if name in SWAPPED and isinstance(function, ast.Attribute) == (name not in FUNCTIONS):
            plain = not node.keywords if name in ("sorted", "reversed") else True
            end = self.source.end(function)
            if plain:
                self.edits.append((end - len(name), end, SWAPPED[name], "call"))
        elif name == "strip" and isinstance(function, ast.Attribute) or name == "abs" and len(node.args) == 1:
            inner = function.value if name == "strip" else node.args[0]
            self.replace(node, "(" + self.source.slice(inner) + ")", "call")
        self.generic_visit(node)

    def visit_Slice(self, node):
        for bound in (node.lower, node.upper):
            if bound is not None:
                self.replace(bound, "", "slice")
        self.generic_visit(node)

    def force(self, test, values):
        for value in values if not isinstance(test, ast.Constant) else []:
            self.replace(test, value, "condition")

    def visit_If(self, node):
        named = [each.id for each in ast.walk(node.test) if isinstance(each, ast.Name)]
        if "__name__" in named or "TYPE_CHECKING" in named:
            return
        self.force(node.test, ["True", "False"])
        if node.orelse and not (len(node.orelse) == 1 and isinstance(node.orelse[0], ast.If)):
            self.replace_body(node.orelse, "pass", "block")
        self.generic_visit(node)

    def visit_IfExp(self, node):
        self.force(node.test, ["True", "False"])
        self.generic_visit(node)

    def visit_While(self, node):
        self.force(node.test, ["False"])
        self.generic_visit(node)

    def visit_comprehension(self, node):
        for test in node.ifs:
            self.force(test, ["True"])
        self.generic_visit(node)

    def visit_For(self, node):
        self.replace_body(node.body, "pass", "block")
        for each in [node.iter] + node.body + node.orelse:
            self.visit(each)

    def visit_Break(self, node):
        self.replace(node, "continue", "loop")

    def visit_Continue(self, node):
        self.replace(node, "break", "loop")

    def visit_Return(self, node):
        if node.value is not None and not (isinstance(node.value, ast.Constant) and node.value.value is None):
            self.replace(node.value, "None", "return")
            self.visit(node.value)

    def visit_Lambda(self, node):
        self.replace(node.body, "None", "return")
        self.visit_arguments(node.args)
        self.visit(node.body)

    def visit_Raise(self, node):
        self.replace(node, "pass", "exception")

    def visit_ExceptHandler(self, node):
        self.replace_body(node.body, "raise", "exception")
        for each in node.body:
            self.visit(each)

    def visit_Expr(self, node):
        if isinstance(node.value, ast.Constant):
            return
        if isinstance(node.value, ast.Call):
            if LOGGERS.match(self.source.slice(node.value.func)):
                return
            self.replace(node, "pass", "statement")
        self.generic_visit(node)

    def visit_Delete(self, node):
        self.replace(node, "pass", "statement")

    def visit_Assert(self, node):
        pass

    def visit_Assign(self, node):
        names = [each.id for each in node.targets if isinstance(each, ast.Name)]
        if any(name.startswith("__") and name.endswith("__") for name in names) or "getLogger" in self.source.slice(node):
            return
        if not isinstance(node.value, ast.Constant):
            self.replace(node.value, "None", "assignment")
        self.visit(node.value)

    def visit_AnnAssign(self, node):
        if node.value is not None:
            self.visit(node.value)

    def visit_arguments(self, node):
        for default in node.defaults + [each for each in node.kw_defaults if each is not None]:
            if isinstance(default, ast.Constant):
                self.visit_Constant(default, "default")
            else:
                self.visit(default)

    def visit_FunctionDef(self, node):
        self.visit_arguments(node.args)
        body = node.body[1:] if is_docstring(node.body[0]) else node.body
        if body:
            self.replace_body(body, "pass", "block")
        for each in body:
            self.visit(each)

    visit_AsyncFunctionDef = visit_FunctionDef
    visit_AsyncFor = visit_For

    def visit_ClassDef(self, node):
        for each in node.body:
            self.visit(each)

    def visit_Match(self, node):
        for case in node.cases:
            self.replace_body(case.body, "pass", "block")
            for each in case.body:
                self.visit(each)

    def visit_Import(self, node):
        pass

    visit_ImportFrom = visit_Import
`;
