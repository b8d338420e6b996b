/** Part of the Python program that lists candidates: statements that are missing, superfluous or in the wrong place. */
export const STATEMENTS = String.raw`
SIMPLE = (ast.Assign, ast.AugAssign, ast.Expr, ast.Return, ast.Raise, ast.Break, ast.Continue, ast.Delete, ast.AnnAssign)
WAYS_OUT = (ast.Return, ast.Raise, ast.Break, ast.Continue)
LOOP_NODES = (ast.For, ast.While, ast.AsyncFor)

class StatementRules:
    def blocks(self, node):
        for field in ("body", "orelse", "finalbody"):
            body = getattr(node, field, None)
            if isinstance(body, list) and body and isinstance(body[0], ast.stmt):
                yield body

    def own_line(self, statement):
        """Whether nothing else stands on its first and last line."""
        start, end = self.source.start(statement), self.source.end(statement)
        if getattr(statement, "decorator_list", None):
            return False
        line = self.source.line(start)
        after = self.source.text[end:self.source.starts[min(self.source.line(max(start, end - 1)), len(self.source.starts) - 1)]].strip()
        return not self.source.text[self.source.starts[line - 1]:start].strip() and (not after or after.startswith("#"))

    def lines_of(self, statement):
        """From the beginning of its first line to the end of its last one, with the line break."""
        first, last = self.source.line(self.source.start(statement)), self.source.line(max(self.source.start(statement), self.source.end(statement) - 1))
        return self.source.starts[first - 1], self.source.starts[min(last, len(self.source.starts) - 1)]

    def indent_of(self, statement):
        line = self.source.line(self.source.start(statement))
        text = self.source.lines[line - 1]
        return text[:len(text) - len(text.lstrip(" \t"))]

    def block(self, body, owner):
        inner = [each for each in body if not (isinstance(each, ast.Expr) and isinstance(each.value, ast.Constant))]
        for at, statement in enumerate(body):
            if not self.own_line(statement) or statement not in inner:
                continue
            self.remove(statement, body)
            if at + 1 < len(body) and self.own_line(body[at + 1]):
                self.swap(statement, body[at + 1])
            self.move(statement, at, body, owner)
            self.carry(statement, at, body)
            if isinstance(owner, FUNCTION_NODES) or not isinstance(owner, (ast.Module, ast.ClassDef)):
                self.insert(statement, before=True, owner=owner)
        if body and self.own_line(body[-1]) and not isinstance(owner, (ast.Module, ast.ClassDef)) and not isinstance(body[-1], (ast.Return, ast.Raise, ast.Break, ast.Continue)):
            self.insert(body[-1], before=False, owner=owner)

    def remove(self, statement, body):
        prior = 0.25 if isinstance(statement, SIMPLE) else 0.15
        if isinstance(statement, (ast.Return, ast.FunctionDef, ast.ClassDef, ast.Import, ast.ImportFrom)):
            prior = 0.05
        start, end = self.lines_of(statement)
        line = self.source.line(self.source.start(statement))
        if len(body) == 1:
            self.replace(statement, "pass", "removal", prior)
        else:
            self.put(start, end, "", "removal", prior, line)
        # The condition goes, what it held back stays.
        if isinstance(statement, ast.If) and not statement.orelse and self.own_line(statement.body[0]):
            inner = self.source.text[self.lines_of(statement.body[0])[0]:end]
            self.put(start, end, self.reindent(inner, self.indent_of(statement.body[0]), self.indent_of(statement)), "removal", 0.12, line)

    def reindent(self, text, old, new):
        lines = re.split(r"(?<=\n)", text)
        return "".join(new + line[len(old):] if line.startswith(old) else line for line in lines)

    def swap(self, one, other):
        if isinstance(one, (ast.FunctionDef, ast.ClassDef, ast.Import, ast.ImportFrom)):
            return
        start, middle = self.lines_of(one)
        begin, end = self.lines_of(other)
        if middle != begin or not self.source.text[begin:end].endswith("\n"):
            return
        # What follows a way out is never reached: that removes a statement, and hides it.
        if isinstance(other, WAYS_OUT):
            return
        self.put(start, end, self.source.text[begin:end] + self.source.text[start:middle], "order", 0.25, self.source.line(start), self.source.line(begin))

    def move(self, statement, at, body, owner):
        """One block further in or out."""
        start, end = self.lines_of(statement)
        text, indent = self.source.text[start:end], self.indent_of(statement)
        if not text.endswith("\n"):
            text += self.newline
        line = self.source.line(self.source.start(statement))
        if at > 0 and isinstance(body[at - 1], (ast.For, ast.While, ast.If, ast.With, ast.Try)) and self.own_line(body[at - 1]):
            last = body[at - 1]
            while True:
                inner = (getattr(last, "orelse", None) or getattr(last, "body", None) or [None])[-1]
                if inner is None or not self.own_line(inner):
                    break
                deeper = self.indent_of(inner)
                if self.lines_of(inner)[1] <= start:
                    self.put(start, end, self.reindent(text, indent, deeper), "indentation", 0.35, line)
                last = inner
                if not isinstance(inner, (ast.For, ast.While, ast.If, ast.With)):
                    break
        if len(body) > 1 and statement is body[-1]:
            parent, child = owner, statement
            while parent is not None and not isinstance(parent, FUNCTION_NODES + (ast.Module, ast.ClassDef)):
                outer = self.indent_of(parent)
                self.put(start, end, self.reindent(text, indent, outer), "indentation", 0.35, line)
                following = self.lines_of(parent)[1]
                if following > end:
                    self.put(start, following, self.source.text[end:following] + self.reindent(text, indent, outer), "indentation", 0.3, line)
                parent = self.program.parent.get(parent)

    def carry(self, statement, at, body):
        """Past several others of the same block."""
        if not isinstance(statement, SIMPLE) or isinstance(statement, WAYS_OUT):
            return
        start, end = self.lines_of(statement)
        text, line = self.source.text[start:end], self.source.line(start)
        for to in range(len(body)):
            if abs(to - at) < 2 or not self.own_line(body[to]) or isinstance(body[to], WAYS_OUT) and to > at:
                continue
            begin, stop = self.lines_of(body[to])
            if to > at and self.source.text[:stop].endswith("\n"):
                self.put(start, stop, self.source.text[end:stop] + text, "order", 0.1, line)
            elif to < at and text.endswith("\n"):
                self.put(begin, end, text + self.source.text[begin:start], "order", 0.1, line)

    def insert(self, anchor, before, owner):
        scope = self.program.scope[anchor]
        function = self.function_of(scope)
        indent, newline = self.indent_of(anchor), self.newline
        start, end = self.lines_of(anchor)
        line = self.source.line(self.source.start(anchor))
        in_loop = self.is_in_loop(anchor, owner)
        first = before and isinstance(owner, FUNCTION_NODES) and owner.body[0] is anchor
        for text, prior in self.added(scope, function, in_loop, first, isinstance(owner, FUNCTION_NODES) and not before):
            text = text.replace("\n", newline + indent)
            if before:
                self.put(start, start, indent + text + newline, "insertion", prior, line)
            elif self.source.text[:end].endswith("\n"):
                self.put(end, end, indent + text + newline, "insertion", prior, line)
            else:
                self.put(end, end, newline + indent + text, "insertion", prior, line)

    def is_in_loop(self, node, owner):
        while owner is not None and not isinstance(owner, FUNCTION_NODES + (ast.ClassDef,)):
            if isinstance(owner, LOOP_NODES):
                return True
            owner = self.program.parent.get(owner)
        return False

    def added(self, scope, function, in_loop, is_first, is_last):
        """Statements that may be missing, each with its weight."""
        key = id(scope), in_loop, is_first, is_last
        if key in self.added_cache:
            return self.added_cache[key]
        found, names = {}, [name for name in scope.names() if scope.kind(name) != "call"][:10]
        add = lambda text, prior: found.setdefault(text, prior)
        for text in self.simple.get(function, []):
            add(text, 0.1)
        # What other functions of the file do comes after what this one does.
        # Most likely is a call whose names all mean something here, such as one of another method of the class.
        known = set(scope.names()) | {"self"}
        for text in [text for texts in self.simple.values() for text in texts][:20]:
            called = re.fullmatch(r"[\w.]+\([^()=]*\)", text)
            fits = called and set(re.findall(r"(?<![\w.])[A-Za-z_]\w*", text)) <= known
            add(text, 0.09 if fits else 0.03)
        for one in names:
            kind = scope.kind(one)
            if kind == "int":
                add(one + " += 1", 0.08)
                add(one + " -= 1", 0.06)
            if kind in ("list", "set"):
                for other in names + ["self"] * 0:
                    if other != one:
                        add("%s.%s(%s)" % (one, "append" if kind == "list" else "add", other), 0.09)
                if kind == "list":
                    add(one + ".sort()", 0.04)
                    add(one + ".pop()", 0.06)
                    add(one + ".reverse()", 0.02)
            for other in names:
                if one != other and one in scope.stored and self.match(kind, scope.kind(other)) > 0.5:
                    add("%s = %s" % (one, other), 0.05)
            if one in scope.params and is_first and kind in ("list", "any"):
                add("%s = list(%s)" % (one, one), 0.04)
        if is_last:
            for one in names:
                add("return " + one, 0.25 if not self.returns.get(function) else 0.1)
        if in_loop:
            add("break", 0.1)
            add("continue", 0.08)
        for text in self.calls.get(function, []):
            add(text, 0.06)
        self.add_variants(add, scope, function, names)
        self.add_idioms(add, scope, function, names)
        self.add_guards(add, scope, function, in_loop, is_first)
        if is_first and getattr(scope.node, "name", "") == "__init__":
            for name in scope.params[1:]:
                add("self.%s = %s" % (name, name), 0.25)
            add("super().__init__()", 0.15)
        self.added_cache[key] = sorted(found.items(), key=lambda item: -item[1])[:260]
        return self.added_cache[key]

    def add_variants(self, add, scope, function, names):
        """Statements of the function with another name in one place."""
        for text in self.simple.get(function, [])[:12]:
            for used in dict.fromkeys(re.findall(r"\b[A-Za-z_]\w*\b", text)):
                if used not in names:
                    continue
                for other in names:
                    if other != used and self.match(scope.kind(used), scope.kind(other)) > 0.5:
                        add(re.sub(r"\b%s\b" % used, other, text), 0.035)

    def add_guards(self, add, scope, function, in_loop, is_first):
        leaves = ["return " + text for text in self.returns.get(function, [])[:5]]
        if is_first:
            leaves += ["return None", "return []", "return 0", "return False", "return True", 'return ""', "return 1", "raise ValueError"]
            leaves += ["return " + name for name in scope.params[:3] if name not in ("self", "cls")]
        elif in_loop:
            leaves = leaves[:2] + ["continue", "break"]
        else:
            leaves = leaves[:3]
        conditions = [(text, 0.07) for text in self.conditions.get(function, [])[:6]]
        for name in [name for name in scope.names() if name in scope.params or not is_first][:5]:
            kind = scope.kind(name)
            conditions.append(("not " + name, 0.1))
            if kind == "any":
                conditions.append((name + " is None", 0.08))
            if kind in ("int", "any"):
                conditions += [(name + " == 0", 0.06), (name + " < 0", 0.06), (name + " <= 0", 0.05), (name + " == 1", 0.04), (name + " <= 1", 0.03)]
            if kind in ("list", "str", "any"):
                conditions += [("len(%s) == 1" % name, 0.03), ("len(%s) <= 1" % name, 0.03)]
        fields = ["self." + name for name in self.program.attributes.get("self", []) if name not in self.methods]
        conditions += [("not " + field, 0.05) for field in fields[:5]]
        step = self.step
        for condition, prior in conditions:
            for leave in dict.fromkeys(leaves):
                weight = 1.6 if leave[7:] in self.returns.get(function, []) else 1
                if leave in ("return None", "raise ValueError"):
                    weight = 0.8
                add("if %s:\n%s%s" % (condition, step, leave), prior * weight * (0.6 if is_first else 0.4))
`;
