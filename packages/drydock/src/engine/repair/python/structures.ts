/** Part of the Python program that lists candidates: calls, subscripts, conditions, returned and assigned values. */
export const STRUCTURES = String.raw`
class StructureRules:
    def call(self, node):
        texts = [self.source.slice(each) for each in node.args]
        name = node.func.id if isinstance(node.func, ast.Name) else getattr(node.func, "attr", "")
        for one in range(len(texts)):
            for other in range(one + 1, len(texts)):
                swapped = list(texts)
                swapped[one], swapped[other] = texts[other], texts[one]
                self.arguments(node, swapped, "arguments", 0.6)
        if len(texts) > 1:
            for gone in range(len(texts)):
                self.arguments(node, texts[:gone] + texts[gone + 1:], "arguments", 0.2)
        for keyword in node.keywords:
            if keyword.arg:
                self.without(node, keyword)
        if len(texts) == 1 and not node.keywords and name not in ("append", "add", "isinstance", "super"):
            self.replace(node, self.whole(node.args[0]), "unwrap", 0.4 if isinstance(node.func, ast.Name) else 0.1)
        if isinstance(node.func, ast.Attribute):
            self.replace(node, self.whole(node.func.value), "unwrap", 0.3 if not texts else 0.15)
        scope = self.program.scope[node]
        if name not in ("len", "super", "print", "abs", "int", "str", "float") and len(texts) < 4:
            for other in scope.names():
                if other not in texts:
                    for at in range(len(texts) + 1):
                        self.arguments(node, texts[:at] + [other] + texts[at:], "arguments", 0.05)
        self.known_call(node, name, texts)
        if self.kind(node) in ("int", "any") and not isinstance(self.program.parent.get(node), (ast.Expr, ast.For, ast.Attribute)):
            self.shift(node, 0.35 if self.kind(node) == "int" else 0.1)

    def known_call(self, node, name, texts):
        if name == "range" and isinstance(node.func, ast.Name):
            if len(texts) == 1:
                for form in ("1, %s", "1, %s + 1", "%s + 1", "%s - 1", "0, %s + 1", "2, %s", "%s, -1, -1", "%s - 1, -1, -1"):
                    self.arguments(node, [form % self.whole(node.args[0])], "range", 0.5 if "-1, -1" not in form else 0.15)
            elif len(texts) == 2:
                self.arguments(node, texts + ["-1"], "range", 0.15)
                self.arguments(node, texts + ["2"], "range", 0.05)
                if texts[0] == "1":
                    # Who counts from one counts up to the last.
                    self.replace(node.args[1], self.whole(node.args[1]) + " + 1", "range", 0.65)
        if name in ("sorted", "sort"):
            if not any(each.arg == "reverse" for each in node.keywords):
                self.arguments(node, texts, "arguments", 0.3, ["reverse=True"])
        if name == "get" and len(texts) == 1:
            for default in ("0", "[]", '""', "None", "1"):
                self.arguments(node, texts + [default], "arguments", 0.25)
        if name == "pop" and len(texts) == 0:
            self.arguments(node, ["0"], "arguments", 0.4)
            self.arguments(node, ["-1"], "arguments", 0.1)
        if name in ("split", "strip", "join", "sum", "max", "min", "round", "zip", "next", "enumerate"):
            extra = {"split": ['","', '" "', '"\\n"', "1"], "sum": ["0"], "round": ["2", "1"], "next": ["None"], "enumerate": ["1"],
                     "max": ["0", "1", "default=0"], "min": ["0", "1", "default=0"]}.get(name, [])
            for each in extra:
                if each not in texts:
                    self.arguments(node, texts + [each], "arguments", 0.2)

    def arguments(self, node, texts, kind, prior, added=()):
        """The same call with other positional arguments; what is between them and the bracket stays."""
        keywords = [self.source.slice(each) for each in node.keywords] + list(added)
        start = self.source.end(node.func)
        head = self.source.text[start:self.source.end(node)]
        opened = start + head.index("(") + 1 if "(" in head else None
        if opened is not None and "#" not in head:
            self.put(opened, self.source.end(node) - 1, ", ".join(list(texts) + keywords), kind, prior, self.source.line(self.source.start(node)))

    def without(self, node, keyword):
        rest = [self.source.slice(each) for each in node.args] + [self.source.slice(each) for each in node.keywords if each is not keyword]
        start = self.source.end(node.func)
        opened = start + self.source.text[start:].index("(") + 1
        self.put(opened, self.source.end(node) - 1, ", ".join(rest), "arguments", 0.3)

    def subscript(self, node):
        value, text = self.whole(node.value), self.source.slice(node)
        if isinstance(node.slice, ast.Slice):
            return self.sliced(node, value)
        index = self.source.slice(node.slice)
        if isinstance(node.ctx, ast.Load):
            self.replace(node, value, "index", 0.15)
            if not isinstance(node.slice, (ast.Tuple, ast.Constant)):
                for default in ("0", "[]", '""', "None"):
                    self.replace(node, "%s.get(%s, %s)" % (value, index, default), "index", 0.06)
            self.shift(node, 0.12)
            for form in ("%s[%s:]", "%s[:%s]"):
                self.replace(node, form % (value, index), "slice", 0.1)
        if isinstance(node.slice, ast.Tuple) and len(node.slice.elts) == 2:
            one, two = (self.source.slice(each) for each in node.slice.elts)
            self.replace(node.slice, "%s, %s" % (two, one), "index", 0.5)
        if isinstance(node.value, ast.Subscript) and not isinstance(node.value.slice, ast.Slice):
            inner = self.source.slice(node.value.slice)
            self.replace(node, "%s[%s][%s]" % (self.whole(node.value.value), index, inner), "index", 0.5)
        if isinstance(node.slice, ast.Constant) and node.slice.value == 0:
            self.replace(node.slice, "-1", "index", 0.4)
        if isinstance(node.slice, ast.UnaryOp) and index == "-1":
            self.replace(node.slice, "0", "index", 0.4)

    def sliced(self, node, value):
        bounds = [self.source.slice(each) if each is not None else "" for each in (node.slice.lower, node.slice.upper)]
        step = self.source.slice(node.slice.step) if node.slice.step is not None else None
        low, high = bounds
        tail = "" if step is None else ":" + step
        options = []
        if low:
            options += [("", high, 0.3), (low + " + 1", high, 0.45), (low + " - 1", high, 0.35), (high, low, 0.25)]
        else:
            options += [("1", high, 0.4), ("-1", high, 0.05), (high, "", 0.2)]
        if high:
            options += [(low, "", 0.3), (low, high + " + 1", 0.45), (low, high + " - 1", 0.4)]
        else:
            options += [(low, "-1", 0.35), ("", low, 0.3)]
        for one, two, prior in options:
            if (one or two) or step is not None:
                self.replace(node.slice, one + ":" + two + tail, "slice", prior)
        for other in self.program.scope[node].names():
            if self.program.scope[node].kind(other) in ("int", "any"):
                self.replace(node.slice, other + ":" + high + tail, "slice", 0.08)
                self.replace(node.slice, low + ":" + other + tail, "slice", 0.08)
        if step is None:
            self.replace(node.slice, low + ":" + high + ":-1", "slice", 0.1)
            self.replace(node.slice, low + ":" + high + ":2", "slice", 0.03)
        else:
            self.replace(node.slice, low + ":" + high, "slice", 0.3)
            self.replace(node.slice, low + ":" + high + ":-" + step.lstrip("-") if not step.startswith("-") else low + ":" + high + ":" + step[1:], "slice", 0.3)
        self.replace(node, value, "slice", 0.3)

    def condition(self, test):
        """What decides an if, a while, a conditional expression or a filter."""
        text = self.whole(test)
        self.replace(test, "not " + text, "condition", 0.45)
        self.replace(test, "True", "condition", 0.1)
        self.replace(test, "False", "condition", 0.1)
        atoms = self.atoms(self.program.scope[test])
        for atom, prior in atoms:
            if atom != text:
                self.replace(test, text + " and " + atom, "condition", prior)
                self.replace(test, text + " or " + atom, "condition", prior)
                self.replace(test, atom + " and " + text, "condition", prior * 0.5)
                self.replace(test, atom + " or " + text, "condition", prior * 0.5)
                self.replace(test, atom, "condition", prior * (2 if isinstance(test, ast.Constant) else 0.7))

    def atoms(self, scope):
        """Conditions made of what the function knows, each with its weight."""
        key = id(scope)
        if key not in self.atom_cache:
            found = {}
            for text in self.conditions.get(self.function_of(scope), []):
                found[text] = 0.12
            for name in scope.names():
                kind = scope.kind(name)
                if kind == "call":
                    continue
                weight = 0.1 if name in scope.params or scope.used.get(name, 0) > 1 else 0.06
                found.setdefault("not " + name, weight)
                found.setdefault(name, weight)
                if kind in ("any",):
                    found.setdefault(name + " is None", weight)
                    found.setdefault(name + " is not None", weight)
                if kind in ("int", "any"):
                    for form in ("%s == 0", "%s > 0", "%s < 0", "%s == 1", "%s <= 0", "%s >= 0", "%s != 0", "%s > 1"):
                        found.setdefault(form % name, weight * (0.6 if kind == "int" else 0.25))
                if kind in ("list", "str"):
                    found.setdefault("len(%s) == 1" % name, weight * 0.5)
                    found.setdefault("len(%s) > 1" % name, weight * 0.5)
            names = scope.names()[:8]
            for one in names:
                for other in names:
                    if one != other and self.match(scope.kind(one), scope.kind(other)) == 1 and scope.kind(one) in ("int", "any"):
                        for word in ("<", "<=", "==", "!=") if one < other else (">", ">="):
                            found.setdefault("%s %s %s" % ((one, word, other) if one < other else (other, word, one)), 0.025)
                    if scope.kind(other) in ("list", "set", "dict") and scope.kind(one) not in ("list", "dict", "set", "call") and one != other:
                        found.setdefault("%s in %s" % (one, other), 0.05)
                        found.setdefault("%s not in %s" % (one, other), 0.05)
            fields = [base + "." + name for base, names in self.program.attributes.items() for name in names
                      if name not in self.methods and (base == "self" or base in scope.names())]
            for field in fields[:12]:
                for form in ("%s", "not %s", "%s is None", "%s is not None"):
                    found.setdefault(form % field, 0.06)
            self.atom_cache[key] = sorted(found.items(), key=lambda item: -item[1])[:60]
        return self.atom_cache[key]

    def returned(self, node):
        value, scope = node.value, self.program.scope[node]
        if value is None:
            for name in scope.names():
                self.replace(node, "return " + name, "return", 0.2)
            return
        text, whole = self.source.slice(value), self.whole(value)
        for other in self.returns.get(self.function_of(scope), []):
            self.replace(value, other, "return", 0.3)
        for new in ("None", "True", "False", "0", "1", "-1", "[]", "[[]]", '""', "{}"):
            self.replace(value, new, "return", 0.12)
        if not isinstance(value, ast.Name):
            for name in scope.names():
                self.replace(value, name, "return", 0.15)
        for name in scope.names():
            if guess(value) not in ("bool", "str"):
                self.replace(value, "%s + %s" % (whole, name), "return", 0.06)
                self.replace(value, "%s + %s" % (name, whole), "return", 0.06)
            if text in ("[]", "[[]]"):
                self.replace(value, "[%s]" % name, "return", 0.15)
        if guess(value) in ("bool", "any"):
            self.replace(value, "not " + whole, "return", 0.3)
        if guess(value) == "bool":
            for atom, prior in self.atoms(scope):
                self.replace(value, atom, "return", prior * 1.2)
                if not isinstance(value, ast.Constant):
                    self.replace(value, whole + " and " + atom, "return", prior * 0.6)
                    self.replace(value, whole + " or " + atom, "return", prior * 0.6)
        for form, prior in (("[%s]", 0.05), ("list(%s)", 0.08), ("sorted(%s)", 0.06), ("int(%s)", 0.06), ("str(%s)", 0.06), ("round(%s, 2)", 0.05), ("abs(%s)", 0.05),
                            ("%s[::-1]", 0.06), ("tuple(%s)", 0.03), ("max(0, %s)", 0.06), ("float(%s)", 0.02), ("-%s", 0.06), ("''.join(%s)", 0.03), ("bool(%s)", 0.03), ("set(%s)", 0.03)):
            self.replace(value, form % (text if "(" in form else whole), "wrap", prior)
        self.put(self.source.start(node), self.source.start(value), "yield ", "return", 0.02)

    def assigned(self, node):
        value, target = node.value, node.targets[0]
        name, text, whole = self.source.slice(target), self.source.slice(value), self.whole(value)
        scope = self.program.scope[node]
        if isinstance(target, (ast.Name, ast.Attribute, ast.Subscript)):
            if guess(value) in ("int", "any"):
                for word in ("max", "min"):
                    self.replace(value, "%s(%s, %s)" % (word, name, text), "wrap", 0.2)
                    self.replace(value, "%s(0, %s)" % (word, text), "wrap", 0.12)
                for form in ("int(%s)", "abs(%s)", "round(%s)"):
                    self.replace(value, form % text, "wrap", 0.05)
            found = self.source.find(["="], self.source.end(target), self.source.start(value))
            for word, prior in (("+=", 0.3), ("-=", 0.15), ("*=", 0.06), ("|=", 0.04)):
                if found:
                    self.put(found[0], found[1], word, "assignment", prior * (0.2 if isinstance(value, ast.Constant) and guess(value) != "int" else 1))
            for other in self.targets.get(self.function_of(scope), []):
                if other != name:
                    self.replace(target, other, "target", 0.2)
        if guess(value) == "bool":
            self.replace(value, "not " + whole, "boolean", 0.2)
        if isinstance(value, (ast.Tuple, ast.List)) and len(value.elts) == 2:
            one, two = (self.source.slice(each) for each in value.elts)
            self.put(self.source.start(value.elts[0]), self.source.end(value.elts[1]), "%s, %s" % (two, one), "order", 0.5)
        if isinstance(target, ast.Tuple) and len(target.elts) == 2:
            one, two = (self.source.slice(each) for each in target.elts)
            self.put(self.source.start(target.elts[0]), self.source.end(target.elts[1]), "%s, %s" % (two, one), "order", 0.4)

    def ingredients(self, node):
        """Another expression of the same function in this place."""
        scope, text = self.program.scope[node], self.source.slice(node)
        kind, count = guess(node), 0
        if not isinstance(node, ast.Name):
            for name in scope.names():
                self.replace(node, name, "variable", 0.08 * self.match(kind, scope.kind(name)))
        for other, other_kind, other_type in self.pool.get(self.function_of(scope), []):
            if other != text and count < 25:
                same = self.match(kind, other_kind) * (1 if other_type is type(node) else 0.6)
                self.replace(node, other, "expression", 0.12 * same)
                count += 1
`;
