/** Lists what Python files do with names, as `FileFacts`. */
export const PYTHON_FACTS = `
import ast, json, sys, warnings

warnings.simplefilter("ignore")
MAX_BYTES = 1024 * 1024
READERS = {"open", "read_text", "read_bytes", "loadtxt", "read_csv"}
ENDS = {"exit", "_exit", "fail", "append", "add", "abort"}
FUNCTIONS = (ast.FunctionDef, ast.AsyncFunctionDef)

def term(parts, called=False, args=()):
    return {"parts": list(parts), "called": called, "args": list(args)}

def dotted(node):
    if isinstance(node, ast.Name):
        return [node.id]
    if isinstance(node, ast.Attribute):
        below = dotted(node.value)
        return below and below + [node.attr]
    return dotted(node.value) if isinstance(node, (ast.Subscript, ast.Await)) else None

def last_name(node):
    return node.attr if isinstance(node, ast.Attribute) else node.id if isinstance(node, ast.Name) else ""

def arguments(call):
    return list(call.args) + [keyword.value for keyword in call.keywords]

def terms(node):
    if node is None or isinstance(node, ast.Constant):
        return []
    if isinstance(node, ast.Call):
        return call_terms(node)
    if isinstance(node, (ast.Name, ast.Attribute, ast.Subscript)):
        parts = dotted(node)
        return [term(parts)] if parts else terms(node.value)
    if isinstance(node, ast.Lambda):
        return terms(node.body)
    if isinstance(node, (ast.ListComp, ast.SetComp, ast.GeneratorExp)):
        return terms(node.elt)
    if isinstance(node, ast.DictComp):
        return terms(node.key) + terms(node.value)
    return [found for child in ast.iter_child_nodes(node) for found in terms(child)]

def call_terms(node):
    inner = [found for argument in arguments(node) for found in terms(argument)]
    if last_name(node.func) in READERS:
        named = [each.value for each in ast.walk(node) if isinstance(each, ast.Constant) and isinstance(each.value, str)]
        paths = [each for each in named if "." in each or "/" in each]
        return [term(["#data:" + (paths[0] if paths else "")])]
    parts = dotted(node.func)
    if parts:
        return [term(parts, True, inner)]
    below = terms(node.func)
    if below:
        below[0]["args"] += inner
        return below
    return inner

def targets_of(node):
    if isinstance(node, (ast.Tuple, ast.List)):
        return [name for each in node.elts for name in targets_of(each)]
    if isinstance(node, ast.Starred):
        return targets_of(node.value)
    if isinstance(node, ast.Name):
        return [node.id]
    parts = dotted(node) if isinstance(node, ast.Attribute) else None
    return ["self." + parts[1]] if parts and parts[0] in ("self", "cls") and len(parts) == 2 else []

class Reader:
    def __init__(self):
        self.imports, self.functions, self.facts = [], {}, []

    def note(self, kind, scope, **more):
        self.facts.append({"kind": kind, "scope": scope, **more})

    def assign(self, scope, target, value, loop=False):
        tuples = (ast.Tuple, ast.List)
        if isinstance(target, tuples) and isinstance(value, tuples) and len(target.elts) == len(value.elts) and not loop:
            for one, other in zip(target.elts, value.elts):
                self.assign(scope, one, other)
            return
        if loop and isinstance(value, ast.Call) and isinstance(target, tuples):
            name = last_name(value.func)
            if name == "enumerate" and len(target.elts) == 2 and value.args:
                return self.assign(scope, target.elts[1], value.args[0], True)
            if name in ("zip", "zip_longest") and len(target.elts) == len(value.args):
                for one, other in zip(target.elts, value.args):
                    self.assign(scope, one, other, True)
                return
        self.note("assign", scope, targets=targets_of(target), value=terms(value), loop=loop)

    def compare(self, node, scope, firm):
        left = node.left
        for operator, right in zip(node.ops, node.comparators):
            sides = (right, left) if isinstance(operator, (ast.In, ast.NotIn)) else (left, right)
            self.note("compare", scope, left=terms(sides[0]), right=terms(sides[1]), firm=firm)
            left = right

    def function(self, node, scope):
        own = node.name if scope == "" else scope + "." + node.name
        names = [each.arg for each in node.args.posonlyargs + node.args.args + node.args.kwonlyargs]
        self.functions[node.name] = [name for name in names if name not in ("self", "cls")]
        for name in self.functions[node.name]:
            self.note("assign", own, targets=[name], value=[term(["#parameter:" + node.name + ":" + name])], loop=False)
        is_test = node.name.startswith("test")
        for decorator in node.decorator_list:
            called = decorator if isinstance(decorator, ast.Call) else None
            if called and last_name(called.func) == "parametrize" and len(called.args) > 1:
                self.parametrize(own, called)
            elif is_test:
                self.note("supports", scope, value=terms(decorator))
            self.visit(decorator, scope, False)
        for each in own_nodes(node):
            if isinstance(each, (ast.Return, ast.Yield)) and each.value is not None:
                self.note("assign", "", targets=[node.name, "self." + node.name], value=terms(each.value), loop=False)
        for child in node.body:
            self.visit(child, own, False)

    def parametrize(self, scope, call):
        names, values = call.args[0], call.args[1]
        if isinstance(names, ast.Constant) and isinstance(names.value, str):
            targets = [name.strip() for name in names.value.split(",")]
        else:
            targets = [each.value for each in getattr(names, "elts", []) if isinstance(each, ast.Constant)]
        self.note("assign", scope, targets=targets, value=terms(values), loop=True)

    def visit(self, node, scope, firm):
        if isinstance(node, ast.Import):
            self.imports += [{"local": each.asname or each.name, "specifier": each.name, "name": None} for each in node.names]
        elif isinstance(node, ast.ImportFrom):
            source = "." * node.level + (node.module or "")
            self.imports += [{"local": each.asname or each.name, "specifier": source, "name": each.name} for each in node.names]
        elif isinstance(node, FUNCTIONS):
            return self.function(node, scope)
        elif isinstance(node, ast.ClassDef):
            bases = [last_name(base) for base in node.bases]
            if any(isinstance(each, FUNCTIONS) and each.name.startswith("test") for each in node.body) or "TestCase" in bases:
                self.note("supports", scope, value=[found for base in node.bases for found in terms(base)])
        elif isinstance(node, ast.Assign):
            for target in node.targets:
                self.assign(scope, target, node.value)
        elif isinstance(node, (ast.AnnAssign, ast.AugAssign, ast.NamedExpr)):
            self.assign(scope, node.target, node.value)
        elif isinstance(node, (ast.For, ast.AsyncFor, ast.comprehension)):
            self.assign(scope, node.target, node.iter, True)
        elif isinstance(node, (ast.With, ast.AsyncWith)):
            for item in node.items:
                if item.optional_vars is not None:
                    self.assign(scope, item.optional_vars, item.context_expr)
        elif isinstance(node, ast.Assert):
            self.hold(node.test, scope)
            return self.visit(node.test, scope, True)
        elif isinstance(node, ast.If) and fails(node.body):
            self.visit(node.test, scope, True)
            for child in node.body + node.orelse:
                self.visit(child, scope, False)
            return
        elif isinstance(node, ast.Compare):
            self.compare(node, scope, firm)
        elif isinstance(node, ast.Expr):
            value = node.value.value if isinstance(node.value, ast.Await) else node.value
            if isinstance(value, ast.Call):
                self.call(value, scope, True)
                for child in ast.iter_child_nodes(value):
                    self.visit(child, scope, is_assertion(value))
                return
        elif isinstance(node, ast.Call):
            self.call(node, scope, False)
        for child in ast.iter_child_nodes(node):
            self.visit(child, scope, firm)

    def call(self, node, scope, statement):
        callee = dotted(node.func)
        if callee is None:
            if statement and terms(node):
                self.note("holds", scope, value=terms(node))
            return
        values = arguments(node)
        # What is compared inside of an argument has its own fact.
        args = [[] if is_assertion(node) and has_compare(each) else terms(each) for each in values]
        self.note("call", scope, callee=callee, args=args, statement=statement)

    def hold(self, node, scope):
        if not has_compare(node):
            self.note("holds", scope, value=terms(node))

def own_nodes(function):
    stack = list(function.body)
    while stack:
        node = stack.pop()
        yield node
        if not isinstance(node, FUNCTIONS + (ast.Lambda, ast.ClassDef)):
            stack += list(ast.iter_child_nodes(node))

def is_assertion(call):
    return last_name(call.func).lower().startswith("assert")

def has_compare(node):
    return any(isinstance(each, ast.Compare) for each in ast.walk(node))

def fails(body):
    for each in body:
        if isinstance(each, (ast.Raise, ast.AugAssign)):
            return True
        if isinstance(each, ast.Expr) and isinstance(each.value, ast.Call) and last_name(each.value.func) in ENDS:
            return True
        if isinstance(each, ast.Assign) and isinstance(each.value, ast.Constant):
            return True
    return False

answer = []
for file in json.loads(sys.stdin.buffer.read())["files"]:
    try:
        data = file["text"].encode("utf-8")
        if len(data) > MAX_BYTES:
            continue
        reader = Reader()
        reader.visit(ast.parse(data), "", False)
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        continue
    answer.append({"path": file["path"], "imports": reader.imports, "functions": reader.functions, "facts": reader.facts})
sys.stdout.write(json.dumps(answer))
`;
