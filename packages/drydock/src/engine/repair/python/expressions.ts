/** Part of the Python program that lists candidates: operators, constants, names, attributes. */
export const EXPRESSIONS = String.raw`
FAMILIES = [["<", "<=", ">", ">=", "==", "!="], ["is", "is not", "==", "!="], ["in", "not in"]]
NEAR = {("<", "<="), ("<=", "<"), (">", ">="), (">=", ">")}
OPPOSITE = {("==", "!="), ("!=", "=="), ("<", ">"), (">", "<"), ("<=", ">="), (">=", "<="), ("<", ">="), (">=", "<"), (">", "<="),
            ("<=", ">"), ("is", "is not"), ("is not", "is"), ("in", "not in"), ("not in", "in")}
COMPARE_WORDS = {ast.Lt: "<", ast.LtE: "<=", ast.Gt: ">", ast.GtE: ">=", ast.Eq: "==", ast.NotEq: "!=", ast.Is: "is",
                 ast.IsNot: "is not", ast.In: "in", ast.NotIn: "not in"}
BINARY_WORDS = {ast.Add: "+", ast.Sub: "-", ast.Mult: "*", ast.Div: "/", ast.FloorDiv: "//", ast.Mod: "%", ast.Pow: "**",
                ast.LShift: "<<", ast.RShift: ">>", ast.BitAnd: "&", ast.BitOr: "|", ast.BitXor: "^"}
BINARY_NEAR = {"+": {"-": 0.8, "*": 0.4, "//": 0.05, "|": 0.1}, "-": {"+": 0.8, "//": 0.05, "*": 0.1, "%": 0.1}, "*": {"+": 0.3, "**": 0.3, "/": 0.4, "//": 0.3, "-": 0.1},
               "/": {"//": 0.9, "*": 0.5, "%": 0.3, "-": 0.05}, "//": {"/": 0.9, "%": 0.5, "*": 0.4, "-": 0.05}, "%": {"//": 0.6, "/": 0.3, "*": 0.2},
               "**": {"*": 0.7}, "<<": {">>": 0.9}, ">>": {"<<": 0.9, "//": 0.1}, "&": {"|": 0.8, "^": 0.5, "-": 0.2, "%": 0.1},
               "|": {"&": 0.8, "^": 0.5, "+": 0.1}, "^": {"&": 0.8, "|": 0.6, "**": 0.5}}
WORD_PAIRS = [("min", "max"), ("any", "all"), ("startswith", "endswith"), ("upper", "lower"), ("lstrip", "rstrip"), ("strip", "rstrip"),
              ("strip", "lstrip"), ("find", "rfind"), ("find", "index"), ("index", "rindex"), ("ljust", "rjust"), ("union", "intersection"), ("add", "discard"),
              ("append", "extend"), ("append", "add"), ("append", "appendleft"), ("pop", "popleft"), ("removeprefix", "removesuffix"), ("keys", "values"),
              ("keys", "items"), ("values", "items"), ("floor", "ceil"), ("sin", "cos"), ("split", "rsplit"), ("partition", "rpartition"), ("islower", "isupper"),
              ("isdigit", "isalpha"), ("isdigit", "isalnum"), ("isalpha", "isalnum"), ("title", "capitalize"), ("issubset", "issuperset"), ("heappush", "heappop"),
              ("int", "float"), ("str", "repr"), ("list", "set"), ("list", "tuple"), ("sorted", "list"), ("sorted", "reversed"), ("reversed", "list"), ("sum", "max"),
              ("sum", "len"), ("round", "int"), ("search", "match"), ("match", "fullmatch"), ("bisect_left", "bisect_right"), ("difference", "symmetric_difference"),
              ("difference", "intersection"), ("update", "add"), ("days", "seconds"), ("year", "month"), ("month", "day"), ("hours", "minutes"),
              ("total_seconds", "seconds"), ("insert", "append"), ("permutations", "combinations"), ("get", "pop"), ("replace", "strip"), ("ceil", "round"),
              ("floor", "round"), ("remove", "discard"), ("isspace", "isalpha"), ("zip", "zip_longest"), ("ord", "chr"), ("weekday", "isoweekday"), ("lower", "casefold")]
NEIGHBOURS = {}
for left, right in WORD_PAIRS:
    NEIGHBOURS.setdefault(left, []).append(right)
    NEIGHBOURS.setdefault(right, []).append(left)

def is_idle(op, value):
    """Whether an operation with this number on its right changes nothing."""
    return type(value) is int and (value == 0 and op in ("+", "-", "<<", ">>", "|", "^") or value == 1 and op in ("*", "/", "//", "**"))

def alike(left, right):
    """How much two names look like each other, 0 to 1."""
    pairs = lambda word: {word[at:at + 2] for at in range(len(word) - 1)} or {word}
    one, other = pairs(left.lower()), pairs(right.lower())
    return 2 * len(one & other) / (len(one) + len(other))

class ExpressionRules:
    def compare(self, node):
        for left, op, right in zip([node.left] + node.comparators, node.ops, node.comparators):
            old = COMPARE_WORDS[type(op)]
            found = self.source.find(old.split(), self.source.end(left), self.source.start(right))
            for family in FAMILIES:
                for new in family if found and old in family else []:
                    if new != old:
                        prior = 1.0 if (old, new) in NEAR else 0.6 if (old, new) in OPPOSITE else 0.25
                        if family is FAMILIES[1] and (old, new) not in OPPOSITE:
                            prior = 0.3 if old in ("is", "is not") and isinstance(right, ast.Constant) and right.value is not None else 0.04
                        self.put(found[0], found[1], new, "comparison", prior)
                        if isinstance(right, ast.Constant) and type(right.value) is int and family is FAMILIES[0]:
                            for value in (right.value - 1, right.value + 1):
                                self.put(found[0], self.source.end(right), new + " " + str(value), "comparison", 0.12)
            if found and old in ("in", "not in") and isinstance(right, ast.Name):
                for name in ("keys", "values"):
                    self.after(right, "." + name + "()", "call", 0.05)

    def binary(self, node):
        old = BINARY_WORDS.get(type(node.op))
        found = old and self.source.find([old], self.source.end(node.left), self.source.start(node.right))
        if not found:
            return
        text = is_text(node.left) or is_text(node.right)
        for new, prior in BINARY_NEAR[old].items():
            if isinstance(node.right, ast.Constant) and is_idle(new, node.right.value):
                continue  # without the operand it is the same, and listed below
            self.put(found[0], found[1], new, "arithmetic", prior * (0.1 if text else 1))
        left, right = self.whole(node.left), self.whole(node.right)
        symmetric = old in ("*", "&", "|", "^") or old == "+" and "int" in (self.kind(node.left), self.kind(node.right))
        if not symmetric:
            self.replace(node, right + " " + old + " " + left, "order", 0.5)
        self.replace(node, left, "operand", 0.35)
        self.replace(node, right, "operand", 0.35)
        # The other grouping of three operands.
        if isinstance(node.right, ast.BinOp) or isinstance(node.left, ast.BinOp):
            self.regroup(node, old)
        parent = self.program.parent.get(node)
        if not text and self.kind(node) in ("int", "any") and not (isinstance(parent, ast.BinOp) and isinstance(parent.op, (ast.Add, ast.Sub))):
            self.shift(node, 0.3)

    def regroup(self, node, old):
        for inner, other, side in ((node.left, node.right, "left"), (node.right, node.left, "right")):
            if not isinstance(inner, ast.BinOp):
                continue
            word = BINARY_WORDS.get(type(inner.op), "+")
            one, two, rest = self.whole(inner.left), self.whole(inner.right), self.whole(other)
            if side == "left":
                self.replace(node, "%s %s (%s %s %s)" % (one, word, two, old, rest), "grouping", 0.25)
            else:
                self.replace(node, "(%s %s %s) %s %s" % (rest, old, one, word, two), "grouping", 0.25)

    def shift(self, node, prior):
        text = self.whole(node)
        self.replace(node, text + " + 1", "shift", prior)
        self.replace(node, text + " - 1", "shift", prior)

    def boolean(self, node):
        old, new = ("and", "or") if isinstance(node.op, ast.And) else ("or", "and")
        for left, right in zip(node.values, node.values[1:]):
            found = self.source.find([old], self.source.end(left), self.source.start(right))
            if found:
                self.put(found[0], found[1], new, "boolean", 0.8)
        for each in node.values:
            rest = [self.source.slice(other) for other in node.values if other is not each]
            self.replace(node, (" " + old + " ").join(rest), "condition", 0.4)
            self.replace(each, "not " + self.whole(each), "boolean", 0.25)

    def unary(self, node):
        if isinstance(node.op, ast.Not):
            self.replace(node, self.source.slice(node.operand), "boolean", 0.7)
        elif isinstance(node.op, ast.USub):
            self.replace(node, self.source.slice(node.operand), "unary", 0.5)
            if isinstance(node.operand, ast.Constant) and type(node.operand.value) is int:
                value = -node.operand.value
                for new in (value - 1, value + 1):
                    self.replace(node, str(new), "literal", 0.5)
        elif isinstance(node.op, ast.Invert):
            self.replace(node, self.source.slice(node.operand), "unary", 0.4)

    def constant(self, node):
        value, parent = node.value, self.program.parent.get(node)
        if isinstance(parent, (ast.Expr, ast.JoinedStr, ast.FormattedValue)):
            return
        # Others call it without the argument as well: another default is seldom what was meant.
        self.share = 0.4 if isinstance(parent, ast.arguments) else 1
        self.another(node, value, parent)
        self.share = 1

    def another(self, node, value, parent):
        scope = self.program.scope[node]
        # What a loop goes on by is often a parameter.
        prior = 0.35 if isinstance(parent, ast.AugAssign) else 0.14
        for name in scope.names():
            self.replace(node, name, "variable", prior * self.match(guess(node), scope.kind(name)))
        if isinstance(value, bool):
            self.replace(node, str(not value), "literal", 0.8)
        elif isinstance(value, int):
            negative = isinstance(parent, ast.UnaryOp)
            for new in (value + 1, value - 1):
                self.number(node, new, 0.6 if not negative else 0.1)
            for new in (0, 1, 2, -1, -value, 10, 100, value * 2, value // 2, value * 10, value // 10):
                self.number(node, new, 0.15)
            if value == 0:
                for new in ("None", '""', "[]"):
                    self.replace(node, new, "literal", 0.05)
            for new in self.program.numbers:
                self.number(node, new, 0.2)
            for new in self.expected_numbers:
                self.number(node, new, 0.1 if abs(value) > 9 else 0.05)
        elif isinstance(value, float):
            for new in (value * 10, value / 10, value * 100, value / 100, value + 1, value - 1, 1 - value, 1 + value, -value, value * 2, value / 2):
                self.replace(node, repr(round(new, 12)), "literal", 0.2)
            for new in self.program.numbers + self.expected_numbers:
                self.replace(node, repr(new), "literal", 0.15)
        elif isinstance(value, str):
            self.string(node, value)
        elif value is None:
            for new in ("0", "[]", '""', "False", "{}"):
                self.replace(node, new, "literal", 0.1)

    def number(self, node, new, prior):
        """Another number, as a person would write it: no + 0 and no - -1."""
        parent = self.program.parent.get(node)
        op = BINARY_WORDS.get(type(getattr(parent, "op", None)))
        idle = is_idle(op, new)
        if isinstance(parent, ast.AugAssign) and idle:
            return
        if isinstance(parent, ast.BinOp) and idle and parent.right is node:
            return self.replace(parent, self.source.slice(parent.left), "operand", prior)
        if isinstance(parent, ast.BinOp) and idle and op in ("+", "*"):
            return self.replace(parent, self.source.slice(parent.right), "operand", prior)
        if isinstance(parent, ast.BinOp) and op in ("+", "-") and parent.right is node and new < 0:
            return self.replace(parent, self.whole(parent.left) + (" - " if op == "+" else " + ") + repr(-new), "literal", prior)
        self.replace(node, repr(new), "literal", prior)

    def string(self, node, value):
        raw = self.source.slice(node)
        quote = raw[-1]
        known = list(dict.fromkeys(self.program.strings + self.expected_strings + ["", " ", ",", ", ", "-", "_", ".", ":", "\n", "/"]))
        for new in known:
            if new != value and len(new) < 60:
                close = alike(new, value) if len(value) > 2 else 0.2
                shown = repr(new) if quote == "'" else json.dumps(new, ensure_ascii=False)
                self.replace(node, shown, "string", 0.04 + 0.5 * close * close)
        for new in (value.upper(), value.lower(), value.strip(), value + " ", " " + value, value[1:], value[:-1]):
            if new != value:
                self.replace(node, repr(new), "string", 0.08)
        if "%" in value:
            for old, new in (("%d", "%s"), ("%s", "%d"), ("%d", "%02d"), ("%m", "%M"), ("%M", "%m"), ("%Y", "%y"), ("%y", "%Y"), ("%H", "%I"), ("%I", "%H"),
                             ("%d/%m", "%m/%d"), ("%m/%d", "%d/%m"), ("%d-%m", "%m-%d"), ("%m-%d", "%d-%m"), ("%02d", "%d")):
                if old in value:
                    self.replace(node, repr(value.replace(old, new)), "string", 0.3)
        for at, char in enumerate(value if "\\" in raw or any(each in value for each in "[]+*?^$") else ""):
            if char in "+*?" and len(value) > 2:
                for new in ("+", "*", "?", ""):
                    if new != char:
                        text = value[:at] + new + value[at + 1:]
                        self.replace(node, ("r" if "\\" in text else "") + quote + text.replace(quote, "\\" + quote) + quote, "regex", 0.2)

    def name(self, node):
        if not isinstance(node.ctx, ast.Load):
            return
        scope, parent, name = self.program.scope[node], self.program.parent.get(node), node.id
        called = isinstance(parent, ast.Call) and parent.func is node
        if called:
            return self.called_name(node, name)
        for other in scope.names():
            if other != name:
                same = self.match(scope.kind(name), scope.kind(other))
                self.replace(node, other, "variable", (0.25 + 0.35 * alike(name, other)) * same)
        for other in self.constants:
            if other != name:
                self.replace(node, other, "variable", 0.08 + 0.3 * alike(name, other))
        owner = self.program.class_of[node]
        if owner is not None and name in self.fields(owner):
            self.replace(node, "self." + name, "attribute", 0.5)
        self.around_name(node, scope.kind(name), parent)

    def called_name(self, node, name):
        for other in NEIGHBOURS.get(name, []):
            self.replace(node, other, "call", 0.8)
        for other in sorted(self.program.module_functions, key=lambda each: -alike(name, each))[:12]:
            if other != name:
                self.replace(node, other, "call", 0.15 + 0.3 * alike(name, other))

    def around_name(self, node, kind, parent):
        counted = isinstance(parent, (ast.Subscript, ast.Slice, ast.Compare, ast.Return)) or isinstance(parent, ast.Call)
        if kind in ("int", "any") and not isinstance(parent, (ast.Attribute, ast.Expr, ast.For)):
            self.shift(node, (0.5 if kind == "int" else 0.2) if counted else (0.3 if kind == "int" else 0.08))
            self.replace(node, "-" + node.id, "unary", 0.08)
            scope = self.program.scope[node]
            for other in scope.names():
                if other != node.id and scope.kind(other) in ("int", "any"):
                    prior = (0.08 if counted else 0.03) * (1 if scope.kind(other) == "int" else 0.4)
                    self.replace(node, node.id + " - " + other, "operand", prior)
                    self.replace(node, node.id + " + " + other, "operand", prior * 0.8)
                    self.replace(node, node.id + " * " + other, "operand", prior * 0.3)
        if kind in ("list", "str", "any") and not (isinstance(parent, ast.Attribute) or isinstance(parent, ast.Subscript) and parent.value is node):
            weight = 1 if kind != "any" else 0.4
            for form, prior in (("%s[1:]", 0.15), ("%s[:-1]", 0.12), ("%s[::-1]", 0.1), ("len(%s)", 0.12), ("sorted(%s)", 0.08), ("%s[0]", 0.1), ("%s[-1]", 0.1),
                                ("list(%s)", 0.08), ("%s[:]", 0.1), ("set(%s)", 0.04), ("reversed(%s)", 0.06), ("enumerate(%s)", 0.03), ("%s.copy()", 0.05)):
                self.replace(node, form % node.id, "wrap", prior * weight)
            for other in self.program.scope[node].names():
                if self.program.scope[node].kind(other) in ("int", "any") and other != node.id:
                    for form in ("%s[%s:]", "%s[:%s]", "%s[%s]"):
                        self.replace(node, form % (node.id, other), "wrap", 0.06 * weight)
        if kind in ("str", "any"):
            for form, prior in (("%s.lower()", 0.08), ("%s.strip()", 0.08), ("str(%s)", 0.1), ("int(%s)", 0.1), ("%s.upper()", 0.04), ("abs(%s)", 0.08), ("%s.rstrip()", 0.02)):
                self.replace(node, form % node.id, "wrap", prior * (1 if kind == "str" else 0.6))
        elif kind == "int":
            for form, prior in (("abs(%s)", 0.12), ("str(%s)", 0.1), ("int(%s)", 0.08), ("%s ** 2", 0.1), ("%s * 2", 0.1), ("%s // 2", 0.08), ("float(%s)", 0.02)):
                self.replace(node, form % node.id, "wrap", prior)

    def attribute(self, node):
        if not isinstance(node.ctx, (ast.Load, ast.Store)):
            return
        end, base = self.source.end(node), self.source.slice(node.value)
        start = end - len(node.attr)
        for other in NEIGHBOURS.get(node.attr, []):
            self.put(start, end, other, "call", 0.7)
        known = list(self.program.attributes.get(base, []))
        owner = self.program.class_of[node]
        if base == "self" and owner is not None:
            known += self.fields(owner) + [each.name for each in owner.body if isinstance(each, ast.FunctionDef)]
        elif isinstance(node.value, ast.Name):
            for other, names in self.program.attributes.items():
                known += names if other != base else []
        parent = self.program.parent.get(node)
        called = isinstance(parent, ast.Call) and parent.func is node
        for other in sorted(dict.fromkeys(known), key=lambda each: -alike(node.attr, each))[:20]:
            if other != node.attr and (other in self.methods) == called:
                self.put(start, end, other, "attribute", 0.2 + 0.4 * alike(node.attr, other))
        if base == "self" and node.attr in self.program.scope[node].own():
            self.replace(node, node.attr, "attribute", 0.4)
        if not called and isinstance(node.ctx, ast.Load):
            self.shift(node, 0.12)
            for other in self.program.scope[node].names():
                self.replace(node, other, "variable", 0.08 + 0.2 * alike(node.attr, other))
`;
