/**
 * Part of the Python program that lists candidates: idioms of which a part was forgotten. An await, a copy, a minus in a key,
 * a place that has to exist before it is read, a sum that begins anew, white space and case of a text, the width of a number.
 */
export const IDIOMS = String.raw`
TEXT_METHODS = {"strip", "lstrip", "rstrip", "lower", "upper", "replace", "removeprefix", "removesuffix", "title", "capitalize", "join", "format", "casefold"}
CALM = (ast.Name, ast.Attribute, ast.Subscript, ast.Call)

class IdiomRules:
    def idioms(self, node, parent):
        if isinstance(node, ast.Call): self.forgotten_call(node, parent)
        if isinstance(node, (ast.Call, ast.Subscript)): self.swapped(node)
        if isinstance(node, (ast.If, ast.While, ast.IfExp)): self.safe_place(node.test)
        elif isinstance(node, ast.comprehension) and node.ifs: self.safe_place(node.ifs[0])
        elif isinstance(node, ast.Return) and node.value is not None: self.safe_place(node.value, 0.5)
        elif isinstance(node, ast.Assign): self.forgotten_sum(node)
        elif isinstance(node, ast.JoinedStr): self.format(node)
        elif isinstance(node, ast.Expr): self.forgotten_return(node)
        if isinstance(node, (ast.Expr, ast.Assign, ast.AugAssign, ast.Delete, ast.Return)): self.place_found(node)
        elif isinstance(node, ast.Compare): self.window(node)
        elif isinstance(node, ast.BinOp): self.difference(node)
        elif isinstance(node, ast.Lambda): self.bound_now(node)
        elif isinstance(node, ast.Raise): self.raised(node)
        if isinstance(node, (ast.For, ast.AsyncFor)): self.iterated(node.iter)
        if isinstance(node, CALM) and isinstance(getattr(node, "ctx", ast.Load()), ast.Load):
            self.negated(node, parent)
            self.text_methods(node, parent)
            self.larger(node, parent)
        if isinstance(node, ast.Attribute) and isinstance(node.ctx, ast.Load) and isinstance(parent, ast.BinOp):
            for name in self.program.scope[node].names():
                if self.program.scope[node].kind(name) in ("int", "any"):
                    self.replace(node, "%s * %s" % (name, self.source.slice(node)), "operand", 0.06)

    def forgotten_call(self, node, parent):
        function = self.program.scope[node].node
        if isinstance(function, ast.AsyncFunctionDef) and not isinstance(parent, ast.Await):
            self.replace(node, "await " + self.source.slice(node), "await", 0.45)
        given = getattr(getattr(function, "args", None), "vararg", None)
        for each in node.args:
            if isinstance(each, ast.Name):
                self.replace(each, "*" + each.id, "arguments", 0.45 if given and given.arg == each.id else 0.04)

    def swapped(self, node):
        """Two things that are done one after the other, in the other order: to the argument instead of to the result, or the calls."""
        if isinstance(node, ast.Subscript) and isinstance(node.slice, ast.Slice):
            call, done = node.value, "%s" + self.source.text[self.source.end(node.value):self.source.end(node)]
        elif isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute):
            call, done = node.func.value, "%s" + self.source.text[self.source.end(node.func.value):self.source.end(node)]
        elif isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and len(node.args) == 1 and not node.keywords:
            call, done = node.args[0], self.source.slice(node.func) + "(%s)"
        else:
            return
        if isinstance(call, ast.Call) and isinstance(call.func, ast.Name) and len(call.args) == 1 and not call.keywords and "%" not in done.replace("%s", "", 1):
            self.replace(node, "%s(%s)" % (call.func.id, done % self.whole(call.args[0])), "order", 0.2)

    def iterated(self, node):
        """What is changed while it is walked has to be copied first."""
        if isinstance(node, (ast.Name, ast.Attribute, ast.Subscript, ast.Call)) and not (isinstance(node, ast.Call) and getattr(node.func, "id", "") in ("list", "sorted", "range")):
            for word, prior in (("list", 0.12), ("sorted", 0.12), ("reversed", 0.1)):
                self.replace(node, "%s(%s)" % (word, self.source.slice(node)), "wrap", prior)

    def difference(self, node):
        text = self.source.slice(node)
        forms = (("abs(%s)", 0.12), ("max(0, %s)", 0.12)) if isinstance(node.op, ast.Sub) else (("round(%s, 2)", 0.1), ("int(%s)", 0.1)) if isinstance(node.op, (ast.Div, ast.Mult)) else ()
        for form, prior in forms:
            self.replace(node, form % text, "wrap", prior)

    def bound_now(self, node):
        """A function that is made in a loop takes the value of that moment."""
        names = [each.id for each in ast.walk(node.body) if isinstance(each, ast.Name)]
        own = [each.arg for each in node.args.args]
        start, end = self.source.start(node) + len("lambda"), self.source.start(node.body)
        for name in dict.fromkeys(names):
            if name not in own and name in self.program.scope[node].stored:
                given = self.source.text[start:end].strip().rstrip(":").strip()
                self.put(start, end, " %s%s=%s: " % (given + ", " if given else "", name, name), "default", 0.15)

    def raised(self, node):
        called = node.exc.func if isinstance(node.exc, ast.Call) else node.exc
        if isinstance(called, ast.Name):
            for name in self.errors + ["ValueError", "TypeError", "KeyError", "IndexError", "RuntimeError"]:
                self.replace(called, name, "exception", 0.25)

    def safe_place(self, test, weight=1):
        """A condition that reads a place of a list or dictionary which may not be there."""
        if isinstance(test, ast.BoolOp) and isinstance(test.op, ast.Or):
            return
        text, seen = self.source.slice(test), set()
        for each in ast.walk(test):
            if isinstance(each, ast.Subscript) and isinstance(each.ctx, ast.Load) and not isinstance(each.slice, ast.Slice):
                place, index = self.source.slice(each.value), self.source.slice(each.slice)
                if isinstance(each.slice, (ast.Constant, ast.UnaryOp)):
                    forms = [(place, 0.3)] if not isinstance(getattr(each.slice, "value", 0), str) else [("%s in %s" % (index, place), 0.2)]
                else:
                    forms = [("%s < len(%s)" % (index, place), 0.3), ("%s in %s" % (index, place), 0.2), ("%s >= 0" % index, 0.12), ("%s > 0" % index, 0.1)]
            elif isinstance(each, ast.Call) and isinstance(each.func, ast.Attribute) and each.func.attr in ("pop", "popleft"):
                forms = [(self.source.slice(each.func.value), 0.3)]
            else:
                continue
            for form, prior in forms:
                if form not in seen and form not in text:
                    seen.add(form)
                    self.replace(test, form + " and " + text, "condition", prior * weight)

    def forgotten_sum(self, node):
        if isinstance(node.value, ast.Subscript) and not isinstance(node.value.slice, ast.Slice):
            taken = "%s.pop(%s)" % (self.source.slice(node.value.value), self.source.slice(node.value.slice))
            self.replace(node.value, taken, "wrap", 0.12)
        target, value = node.targets[0], node.value
        text = self.source.slice(value)
        if isinstance(target, ast.Subscript) and not isinstance(target.slice, ast.Slice):
            place, index = self.source.slice(target.value), self.source.slice(target.slice)
            self.replace(value, "%s.get(%s, 0) + %s" % (place, index, self.whole(value)), "assignment", 0.25)
            for shape, empty, word in ((ast.List, "[]", "+"), (ast.Set, "set()", "|")):
                if isinstance(value, shape) and value.elts:
                    self.replace(value, "%s.get(%s, %s) %s %s" % (place, index, empty, word, text), "assignment", 0.3)
            for word in ("max", "min"):
                self.replace(value, "%s(%s.get(%s, %s), %s)" % (word, place, index, "0" if word == "max" else text, text), "wrap", 0.12)
        if isinstance(value, (ast.Name, ast.Attribute)) and isinstance(target, (ast.Name, ast.Attribute)):
            for form, prior in (("list(%s)", 0.2), ("dict(%s)", 0.2), ("%s.copy()", 0.12), ("set(%s)", 0.08)):
                self.replace(value, form % text, "copy", prior)
        if isinstance(value, ast.Constant) and isinstance(value.value, bool):
            self.replace(value, "not " + self.source.slice(target), "boolean", 0.3)

    def format(self, node):
        """What stands between the braces of a formatted text. Its parts have no positions of their own before Python 3.12."""
        start, text, scope = self.source.start(node), self.source.slice(node), self.program.scope[node]
        if "{{" in text or "\n" in text:
            return
        for found in re.finditer(r"\{([^{}:!]+)(:[^{}]*)?\}", text):
            at, end, spec = start + found.start(), start + found.end(), found.group(2) or ""
            for new in ("", ":02d", ":.2f", ":03d", ":,", ":.1f", ":d"):
                self.put(at, end, "{%s%s}" % (found.group(1), new), "format", 0.2)
            inner = found.group(1)
            if inner.strip().isidentifier():
                for other in scope.names():
                    self.put(at, end, "{%s%s}" % (other, spec), "variable", 0.2 + 0.2 * alike(inner, other))
            for old, new in (("+", "-"), ("-", "+"), ("//", "%"), ("%", "//"), ("//", "/"), ("/", "//")):
                if old in inner:
                    self.put(at, end, "{%s%s}" % (inner.replace(old, new, 1), spec), "arithmetic", 0.3)
            for new in (inner + " + 1", inner + " - 1"):
                self.put(at, end, "{%s%s}" % (new, spec), "shift", 0.12)

    def forgotten_return(self, node):
        if isinstance(node.value, (ast.Constant, ast.Await, ast.Yield, ast.YieldFrom)):
            return
        function = self.program.scope[node].node
        if isinstance(function, (ast.FunctionDef, ast.AsyncFunctionDef)) and self.own_line(node):
            is_plain = isinstance(node.value, ast.Call) and isinstance(node.value.func, ast.Attribute)
            self.put(self.source.start(node), self.source.start(node), "return ", "return", 0.2 if is_plain else 0.5)

    def place_found(self, node):
        """What is looked for may not be there: then its place is -1."""
        text = self.source.slice(node)
        start = self.source.start(node)
        if not self.own_line(node) or "\n" in text:
            return
        for name in dict.fromkeys(re.findall(r"(\w+) = [^\n]*\.r?find\(", self.source.text[max(0, start - 500):start])):
            if re.search(r"\b%s\b" % name, text):
                guarded = "if %s >= 0:%s%s%s%s" % (name, self.newline, self.indent_of(node), self.step, text)
                self.put(start, self.source.end(node), guarded, "condition", 0.2)

    def window(self, node):
        """So many more have to fit before the end."""
        right = node.comparators[0]
        if len(node.ops) == 1 and isinstance(node.ops[0], (ast.Lt, ast.LtE, ast.Gt, ast.GtE)) and isinstance(node.left, CALM) and isinstance(right, CALM):
            # Digits of a text are in another order than numbers.
            self.replace(node, "int(%s) %s int(%s)" % (self.source.slice(node.left), COMPARE_WORDS[type(node.ops[0])], self.source.slice(right)), "wrap", 0.06)
        if len(node.ops) == 1 and isinstance(node.ops[0], (ast.Lt, ast.LtE)) and isinstance(node.left, ast.Name):
            right = self.source.slice(node.comparators[0])
            for name in self.program.scope[node].params:
                if name not in ("self", "cls", node.left.id) and name not in right:
                    self.replace(node, "%s + %s <= %s" % (node.left.id, name, right), "window", 0.08)

    def negated(self, node, parent):
        inside = isinstance(parent, ast.Tuple) and isinstance(self.program.parent.get(parent), ast.Lambda)
        if isinstance(parent, ast.Lambda) or inside:
            self.replace(node, "-" + self.source.slice(node), "unary", 0.4)
        elif isinstance(node, (ast.Call, ast.Subscript)) and self.kind(node) in ("int", "any") and isinstance(parent, (ast.Return, ast.Tuple, ast.Assign)):
            self.replace(node, "-" + self.source.slice(node), "unary", 0.05)

    def text_methods(self, node, parent):
        if isinstance(node, ast.Name) or isinstance(parent, (ast.Attribute, ast.Expr)) or isinstance(parent, ast.Call) and parent.func is node:
            return
        is_cut = isinstance(node, ast.Subscript) and isinstance(node.slice, ast.Slice)
        is_text = isinstance(node, ast.Call) and getattr(node.func, "attr", "") in TEXT_METHODS
        prior = 0.22 if is_text else 0.16 if is_cut else 0.06 if isinstance(node, ast.Subscript) else 0.03 if isinstance(node, ast.Call) else 0
        if prior:
            for form, share in ((".strip()", 1), (".lower()", 1), (".upper()", 0.4), (".rstrip()", 0.3), (".lstrip()", 0.2)):
                self.after(node, form, "wrap", prior * share)
        if not is_cut and not is_text:
            for form, share in (("int(%s)", 0.06), ("abs(%s)", 0.05), ("len(%s)", 0.04), ("str(%s)", 0.05), ("list(%s)", 0.03), ("sorted(%s)", 0.05)):
                self.replace(node, form % self.source.slice(node), "wrap", share)

    def larger(self, node, parent):
        """The larger or smaller of a new value and one at hand."""
        if isinstance(node, ast.Call) or not isinstance(parent, (ast.Tuple, ast.Assign, ast.Return)):
            return
        if isinstance(parent, ast.Tuple) and not isinstance(self.program.parent.get(parent), (ast.Assign, ast.Call, ast.Return)):
            return
        scope, text = self.program.scope[node], self.source.slice(node)
        if scope.kind(text) in ("list", "str", "dict", "set", "call"):
            return
        others = [name for name in scope.names() if scope.kind(name) in ("int", "any")][:8]
        others += [other for other, kind, type_ in self.pool.get(self.function_of(scope), []) if type_ is ast.Subscript and kind in ("int", "any") and other != text][:8]
        for other in others:
            if other != text:
                for word in ("max", "min"):
                    self.replace(node, "%s(%s, %s)" % (word, other, text), "wrap", 0.06 if "[" in other else 0.04)

    def add_idioms(self, add, scope, function, names):
        """Statements that are forgotten together with their condition, and what a function raises."""
        step = self.step
        for text in self.simple.get(function, [])[:12]:
            # What is left over when a loop has ended.
            found = re.match(r"[\w.]+\.(?:append|add|extend)\((?:\w+\()?(\w+)\)?\)$|yield (\w+)$", text)
            name = found and (found.group(1) or found.group(2))
            if name in names:
                add("if %s:\n%s%s" % (name, step, text), 0.06)
            # What is used up is taken out.
            found = re.match(r"([\w.]+\[[^\]]+\]) -= ", text)
            if found:
                add("if not %s:\n%sdel %s" % (found.group(1), step, found.group(1)), 0.08)
        raised = list(self.raises.get(function, []))
        raised += [text for texts in self.raises.values() for text in texts if text not in raised]
        raised += ["raise " + name for name in self.errors]
        fields = ["self." + name for name in self.program.attributes.get("self", []) if name not in self.methods][:4]
        params = [name for name in scope.params if name not in ("self", "cls")][:3]
        conditions = ["not " + name for name in params] + [form % name for name in params for form in ("%s < 0", "%s <= 0", "%s is None")]
        conditions += ["%s %s %s" % (name, word, field) for name in params for field in fields for word in (">", "not in", "in", ">=", "<")]
        # What another function refuses in these words.
        known = scope.params + ["self", "cls", "len", "isinstance"] + self.constants
        for test, leave, used in dict.fromkeys(each for other, texts in self.refusals.items() if other is not function for each in texts):
            if used <= set(known) and used & set(params):
                add("if %s:\n%s%s" % (test, step, leave), 0.12)
        for leave in list(dict.fromkeys(raised))[:4]:
            own = leave in self.raises.get(function, [])
            for condition in conditions[:24]:
                add("if %s:\n%s%s" % (condition, step, leave), 0.05 if own else 0.04)
        for one in names:
            if scope.kind(one) == "any" and scope.used.get(one, 0) > 1 and one in scope.stored:
                add(one + " += 1", 0.05)
                add(one + " -= 1", 0.02)
        for field in fields:
            add(field + " += 1", 0.05)
            add(field + " -= 1", 0.03)
            for name in params[:2]:
                add("%s = %s" % (field, name), 0.05)
                add("%s.append(%s)" % (field, name), 0.04)
        self.add_declarations(add, scope)
        if isinstance(scope.node, ast.AsyncFunctionDef):
            for one in names:
                add("await " + one, 0.05)
                add("await asyncio.gather(*%s)" % one, 0.04)

    def add_declarations(self, add, scope):
        """A name that belongs to a function around, or to the module; a list that all objects of a class share."""
        outer = scope.outer
        for name in dict.fromkeys(scope.stored):
            if name in scope.params:
                continue
            if outer is not None and outer.node is not None and name in outer.own():
                add("nonlocal " + name, 0.3)
            elif name in self.constants:
                add("global " + name, 0.3)
        if getattr(scope.node, "name", "") == "__init__":
            owner = self.program.class_of.get(scope.node)
            for each in getattr(owner, "body", []):
                if isinstance(each, ast.Assign) and isinstance(each.value, (ast.List, ast.Dict, ast.Set)) and isinstance(each.targets[0], ast.Name):
                    add("self.%s = %s" % (each.targets[0].id, self.source.slice(each.value)), 0.3)
`;
