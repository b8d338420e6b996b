/** Part of the Python program that lists candidates: what all rules share. Where an edit goes, how likely it is, and what each function has to offer. */
export const RULES = String.raw`
def is_text(node):
    return isinstance(node, ast.JoinedStr) or isinstance(node, ast.Constant) and isinstance(node.value, (str, bytes))

LOOSE = (ast.BinOp, ast.BoolOp, ast.Compare, ast.UnaryOp, ast.IfExp, ast.Lambda, ast.NamedExpr, ast.Yield, ast.YieldFrom, ast.Await)
parsed = {}

def shape_of(text):
    if text not in parsed:
        try:
            parsed[text] = type(ast.parse(text.strip(), mode="eval").body)
        except (SyntaxError, ValueError, RecursionError, MemoryError):
            parsed[text] = None
    return parsed[text]

def needs_brackets(shape, parent, node):
    if shape is None or not issubclass(shape, LOOSE):
        return False
    if isinstance(parent, ast.BoolOp):
        return issubclass(shape, (ast.BoolOp, ast.IfExp, ast.Lambda))
    if isinstance(parent, ast.UnaryOp):
        return not isinstance(parent.op, ast.Not) or issubclass(shape, (ast.BoolOp, ast.IfExp))
    if isinstance(parent, ast.Compare):
        return not issubclass(shape, ast.BinOp)
    return isinstance(parent, (ast.BinOp, ast.Attribute, ast.Starred, ast.Await)) or node in (getattr(parent, "func", None), isinstance(parent, ast.Subscript) and parent.value)

class Rules(ExpressionRules, StructureRules, StatementRules, IdiomRules, NeighbourRules):
    def __init__(self, source, weights, hints):
        self.source, self.weights = source, weights
        self.program = Program(source)
        self.edits, self.line, self.unit, self.share = {}, 0, None, 1
        self.newline = "\r\n" if "\r\n" in source.text else "\n"
        self.expected_strings, self.expected_numbers = hints["strings"], hints["numbers"]
        self.atom_cache, self.added_cache, self.field_cache = {}, {}, {}
        indents = [line[:len(line) - len(line.lstrip(" \t"))] for line in source.lines]
        self.step = "\t" if any(each.startswith("\t") for each in indents) else " " * min([len(each) for each in indents if each] or [4])
        self.constants = [each.targets[0].id for each in source.tree.body
                          if isinstance(each, ast.Assign) and isinstance(each.targets[0], ast.Name)][:12]
        self.methods = {node.func.attr for node in self.program.order if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute)}
        self.methods |= {each.name for node in self.program.order if isinstance(node, ast.ClassDef) for each in node.body if isinstance(each, ast.FunctionDef)}
        self.collect()
        self.collect_neighbours()

    def collect(self):
        self.conditions, self.returns, self.targets, self.simple, self.calls, self.pool, self.raises, self.refusals = {}, {}, {}, {}, {}, {}, {}, {}
        self.errors = [each.name for each in self.source.tree.body if isinstance(each, ast.ClassDef) and any("Err" in ast.dump(base) or "Exception" in ast.dump(base) for base in each.bases)]
        def note(table, node, value):
            known = table.setdefault(self.function_of(self.program.scope[node]), [])
            if value not in known:
                known.append(value)
        for node in self.program.order:
            if isinstance(node, (ast.If, ast.While, ast.IfExp)) and not isinstance(node.test, ast.Constant):
                note(self.conditions, node, self.whole(node.test))
                if isinstance(node, ast.If) and len(node.body) == 1 and isinstance(node.body[0], ast.Raise) and not node.orelse and node.body[0].lineno == node.body[0].end_lineno:
                    note(self.refusals, node, (self.source.slice(node.test), self.source.slice(node.body[0]), frozenset(each.id for each in ast.walk(node.test) if isinstance(each, ast.Name))))
            elif isinstance(node, ast.Raise) and node.exc is not None and node.lineno == node.end_lineno:
                note(self.raises, node, self.source.slice(node))
            elif isinstance(node, ast.Return) and node.value is not None:
                note(self.returns, node, self.source.slice(node.value))
            elif isinstance(node, ast.Assign) and isinstance(node.targets[0], (ast.Name, ast.Subscript, ast.Attribute)):
                note(self.targets, node, self.source.slice(node.targets[0]))
            if isinstance(node, ast.Subscript) and isinstance(node.ctx, ast.Load) and not isinstance(node.slice, ast.Slice):
                note(self.targets, node, self.source.slice(node))
            if isinstance(node, (ast.Assign, ast.AugAssign, ast.Expr)) and node.lineno == node.end_lineno and not (isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant)):
                note(self.simple, node, self.source.slice(node))
            if isinstance(node, ast.Call) and node.lineno == node.end_lineno and len(self.source.slice(node)) < 40:
                note(self.calls, node, self.source.slice(node))
            if isinstance(node, (ast.Call, ast.BinOp, ast.Subscript, ast.Attribute, ast.Compare, ast.List, ast.Tuple, ast.ListComp)) and node.lineno == node.end_lineno:
                if isinstance(getattr(node, "ctx", ast.Load()), ast.Load) and len(self.source.slice(node)) < 50:
                    note(self.pool, node, (self.source.slice(node), guess(node), type(node)))

    def function_of(self, scope):
        """The outermost function: what its inner ones use is at hand, too."""
        found = scope.node
        while scope is not None and scope.node is not None and not isinstance(scope.node, ast.ClassDef):
            found, scope = scope.node, scope.outer
        return found

    def fields(self, owner):
        if owner not in self.field_cache:
            self.field_cache[owner] = list(dict.fromkeys(
                node.attr for node in ast.walk(owner) if isinstance(node, ast.Attribute) and isinstance(node.value, ast.Name) and node.value.id == "self"))
        return self.field_cache[owner]

    def kind(self, node):
        return self.program.scope[node].kind(node.id) if isinstance(node, ast.Name) else guess(node)

    def match(self, one, other):
        return 1 if one == other else 0.6 if "any" in (one, other) else 0.2

    def whole(self, node):
        text = self.source.slice(node)
        return "(" + text + ")" if isinstance(node, LOOSE + (ast.GeneratorExp,)) and not (text.startswith("(") and isinstance(node, ast.GeneratorExp)) else text

    def replace(self, node, new, kind, prior):
        parent = self.program.parent.get(node)
        text = "(" + new + ")" if isinstance(node, ast.expr) and needs_brackets(shape_of(new), parent, node) else new
        self.put(self.source.start(node), self.source.end(node), text, kind, prior)

    def after(self, node, new, kind, prior):
        self.put(self.source.end(node), self.source.end(node), new, kind, prior)

    def put(self, start, end, new, kind, prior, *lines):
        suspicion = max(self.weights.get(line, 0) for line in (self.source.line(start), self.line) + lines)
        if suspicion > 0 and self.source.text[start:end] != new:
            score = suspicion * prior * self.share
            known = self.edits.get((start, end, new))
            if known is None or known[0] < score:
                self.edits[start, end, new] = score, kind, self.unit, (lines + (self.source.line(start),))[0]

    def visit(self, node):
        parent = self.program.parent.get(node)
        if isinstance(node, ast.Compare): self.compare(node)
        elif isinstance(node, ast.BinOp): self.binary(node)
        elif isinstance(node, ast.BoolOp): self.boolean(node)
        elif isinstance(node, ast.UnaryOp): self.unary(node)
        elif isinstance(node, ast.Constant): self.constant(node)
        elif isinstance(node, ast.Name): self.name(node)
        elif isinstance(node, ast.Attribute): self.attribute(node)
        elif isinstance(node, ast.Call): self.call(node)
        elif isinstance(node, ast.Subscript): self.subscript(node)
        elif isinstance(node, ast.Return): self.returned(node)
        elif isinstance(node, ast.Assign): self.assigned(node)
        elif isinstance(node, ast.AugAssign): self.augmented(node)
        elif isinstance(node, (ast.Yield, ast.YieldFrom)): self.yielded(node)
        elif isinstance(node, (ast.Break, ast.Continue)): self.replace(node, "continue" if isinstance(node, ast.Break) else "break", "loop", 0.4)
        elif isinstance(node, ast.ExceptHandler) and node.type is not None: self.handler(node)
        elif isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef)): self.defaults(node)
        elif isinstance(node, ast.Tuple): self.pair(node)
        self.idioms(node, parent)
        self.neighbours(node, parent)
        if isinstance(node, (ast.If, ast.While, ast.IfExp)):
            self.condition(node.test)
            self.branches(node)
        if isinstance(node, ast.comprehension):
            for test in node.ifs:
                self.condition(test)
                start = self.source.text.rfind("if", 0, self.source.start(test))
                self.put(start, self.source.end(test), "", "condition", 0.3)
            if not node.ifs:
                for atom, prior in self.atoms(self.program.scope[parent])[:30]:
                    self.after(node.iter, " if " + atom, "condition", prior)
        if isinstance(node, (ast.Call, ast.Subscript, ast.BinOp, ast.List, ast.Compare, ast.Attribute, ast.Name)) and isinstance(getattr(node, "ctx", ast.Load()), ast.Load):
            if not (isinstance(parent, (ast.Attribute, ast.Expr)) or isinstance(parent, ast.Call) and parent.func is node):
                self.ingredients(node)
        if isinstance(node, ast.List) and isinstance(node.ctx, ast.Load) and not node.elts and not isinstance(parent, ast.Return):
            self.replace(node, "[[]]", "collection", 0.1)
        for body in self.blocks(node):
            self.block(body, node)

    def pair(self, node):
        if len(node.elts) == 2 and isinstance(node.ctx, ast.Load):
            one, two = (self.source.slice(each) for each in node.elts)
            self.put(self.source.start(node.elts[0]), self.source.end(node.elts[1]), "%s, %s" % (two, one), "order", 0.35)

    def augmented(self, node):
        old = BINARY_WORDS.get(type(node.op))
        found = old and self.source.find([old + "="], self.source.end(node.target), self.source.start(node.value))
        if found:
            for new, prior in BINARY_NEAR[old].items():
                self.put(found[0], found[1], new + "=", "assignment", prior * (0.1 if is_text(node.value) else 1))
            self.put(found[0], found[1], "=", "assignment", 0.35)
            if old == "+":
                self.replace(node, "%s = %s + %s" % (self.source.slice(node.target), self.whole(node.value), self.source.slice(node.target)), "order", 0.3)

    def yielded(self, node):
        start = self.source.start(node)
        if isinstance(node, ast.YieldFrom):
            self.put(start, self.source.start(node.value), "yield ", "yield", 0.6)
        elif node.value is not None:
            self.put(start, self.source.start(node.value), "yield from ", "yield", 0.6)
            self.put(start, self.source.start(node.value), "return ", "yield", 0.1)
            for name in self.program.scope[node].names():
                self.replace(node.value, name, "yield", 0.2)

    def handler(self, node):
        for new in ("Exception", "(KeyError, IndexError)", "ValueError", "TypeError", "KeyError", "IndexError", "ZeroDivisionError", "AttributeError"):
            self.replace(node.type, new, "exception", 0.2)

    def defaults(self, node):
        body = node.body[1:] if isinstance(node.body[0], ast.Expr) and isinstance(node.body[0].value, ast.Constant) and len(node.body) > 1 else node.body
        for name, default in zip([each.arg for each in node.args.args][::-1], node.args.defaults[::-1]):
            if isinstance(default, (ast.List, ast.Dict, ast.Set, ast.Call)) and self.own_line(body[0]):
                start, end = self.source.start(default), self.source.end(default)
                begin, indent = self.lines_of(body[0])[0], self.indent_of(body[0])
                guard = "%sif %s is None:%s%s%s%s = %s%s" % (indent, name, self.newline, indent, self.step, name, self.source.slice(default), self.newline)
                self.line = body[0].lineno
                self.put(start, begin, "None" + self.source.text[end:begin] + guard, "default", 0.5, self.line)

    def branches(self, node):
        start = self.source.start(node)
        if isinstance(node, ast.IfExp):
            self.replace(node, "%s if %s else %s" % (self.source.slice(node.orelse), self.source.slice(node.test), self.source.slice(node.body)), "order", 0.4)
        elif isinstance(node, ast.While):
            self.put(start, start + 5, "if", "loop", 0.15)
        elif self.source.text.startswith("elif", start):
            self.put(start, start + 4, "if", "branch", 0.25)
        else:
            if not node.orelse:
                # What is taken away from a name until the condition fails is taken away in a loop.
                tested = {each.id for each in ast.walk(node.test) if isinstance(each, ast.Name)}
                taken = {each.target.id for each in node.body if isinstance(each, ast.AugAssign) and isinstance(each.target, ast.Name)}
                self.put(start, start + 2, "while", "loop", 0.4 if tested & taken else 0.12)
            parent = self.program.parent.get(node)
            for body in self.blocks(parent):
                at = body.index(node) if node in body else 0
                if at > 0 and isinstance(body[at - 1], ast.If) and not body[at - 1].orelse:
                    self.put(start, start + 2, "elif", "branch", 0.2)

    def run(self):
        for unit in units(self.source.tree.body):
            if not any(self.weights.get(line) for line in range(unit.lineno, unit.end_lineno + 1)):
                continue
            self.unit = unit
            for node in self.suspects(unit):
                statement = self.program.statement[node]
                self.line = statement.lineno if statement is not None else node.lineno
                if isinstance(node, (ast.arguments, ast.Load, ast.Store)) or isinstance(node, ast.Name) and self.is_annotation(node):
                    continue
                self.visit(node)
        return self.edits

    def suspects(self, unit):
        """Of a function that no failing test has entered, only what ran when it was made."""
        if isinstance(unit, FUNCTION_NODES) and not any(self.weights.get(line) for line in range(unit.body[0].lineno, unit.end_lineno + 1)):
            return [node for default in unit.args.defaults + [each for each in unit.args.kw_defaults if each] for node in ast.walk(default)]
        return ast.walk(unit)

    def is_annotation(self, node):
        while isinstance(node, ast.expr):
            parent = self.program.parent.get(node)
            if node in (getattr(parent, "annotation", None), getattr(parent, "returns", None)) or node in getattr(parent, "decorator_list", []):
                return True
            node = parent
        return False
`;
