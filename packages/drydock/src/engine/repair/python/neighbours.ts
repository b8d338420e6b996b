/**
 * Part of the Python program that lists candidates: what a neighbour of the faulty place shows. The same wrapping as around
 * another name, an operand more, another grouping of a chain, a name that is imported beside the one in use, a word of which
 * libraries know a few others, and a result that ends a loop before anything was found.
 */
export const NEIGHBOUR_RULES = `
# Words of which libraries take one of a few.
WORD_SETS = [("NFC", "NFD", "NFKC", "NFKD"), ("utf-8", "latin-1", "ascii", "utf-8-sig", "utf-16"), ("r", "rb", "w", "wb", "a"), ("strict", "ignore", "replace"), ("little", "big")]
COUNTED = ("int", "any")

class NeighbourRules:
    def neighbours(self, node, parent):
        if isinstance(node, ast.BinOp): self.first_factor(node)
        elif isinstance(node, ast.Return): self.early_result(node)
        elif isinstance(node, (ast.If, ast.While, ast.IfExp)): self.missing_object(node.test)
        elif isinstance(node, ast.Constant) and isinstance(node.value, str): self.other_word(node)
        elif isinstance(node, ast.Name) and isinstance(node.ctx, ast.Load):
            is_called = isinstance(parent, ast.Call) and parent.func is node
            self.imported_beside(node, is_called)
            if not is_called and not isinstance(parent, (ast.Attribute, ast.Subscript)):
                self.wrapped_alike(node)
                self.one_operand_more(node, parent)

    def first_factor(self, node):
        """a - b * c / d, of which a - b was meant to come first."""
        first = node.right
        while isinstance(first, ast.BinOp) and isinstance(first.op, (ast.Mult, ast.Div, ast.FloorDiv, ast.Mod)) and not self.source.text.startswith("(", self.source.start(first)):
            first = first.left
        if isinstance(node.op, (ast.Add, ast.Sub)) and isinstance(node.right, ast.BinOp) and first is not node.right and first is not node.right.left:
            start, middle = self.source.start(node), self.source.end(first)
            self.put(start, middle, "(%s)" % self.source.text[start:middle], "grouping", 0.25)

    def missing_object(self, test):
        """A condition that reads an attribute of what may be None: where it asks for None, that is the same answer."""
        text, asks = self.source.slice(test), isinstance(test, ast.UnaryOp) and isinstance(test.op, ast.Not)
        if isinstance(test, ast.Compare) and isinstance(test.comparators[0], ast.Constant) and test.comparators[0].value is None:
            asks = isinstance(test.ops[0], (ast.Is, ast.Eq))
        names = [each.value.id for each in ast.walk(test) if isinstance(each, ast.Attribute) and isinstance(each.value, ast.Name) and each.value.id not in ("self", "cls")]
        for name in dict.fromkeys(names):
            if name in self.program.scope[test].names() and not re.search(r"\\b%s is (not )?None" % name, text):
                form = "%s is None or %s" if asks else "%s is not None and %s"
                self.replace(test, form % (name, self.whole(test) if isinstance(test, ast.BoolOp) else text), "condition", 0.35)

    def early_result(self, node):
        """In a loop: the result of one round is none yet, and the others come to nothing."""
        at = node
        while at is not None and not isinstance(at, (ast.For, ast.While, ast.AsyncFor)) and not isinstance(at, FUNCTION_NODES):
            at = self.program.parent.get(at)
        if isinstance(at, (ast.For, ast.While, ast.AsyncFor)) and isinstance(node.value, ast.Name) and self.own_line(node):
            for condition, prior in ((node.value.id, 0.25), (node.value.id + " is not None", 0.2)):
                text = "if %s:%s%s%s%s" % (condition, self.newline, self.indent_of(node), self.step, self.source.slice(node))
                self.put(self.source.start(node), self.source.end(node), text, "condition", prior)

    def other_word(self, node):
        for words in WORD_SETS:
            if node.value in words:
                for other in words:
                    if other != node.value:
                        self.replace(node, repr(other), "string", 0.2)

    def imported_beside(self, node, is_called):
        for names in self.imports:
            if node.id in names:
                for other in names:
                    if other != node.id and other[:1].isupper() == node.id[:1].isupper():
                        self.replace(node, other, "variable", 0.12 + 0.3 * alike(node.id, other))

    def wrapped_alike(self, node):
        """quote(str(key)) = value, of which the value was forgotten."""
        text = self.source.slice(self.program.statement[node]) if self.program.statement[node] is not None else ""
        for form in self.wrappings.get(self.function_of(self.program.scope[node]), [])[:6]:
            if form % node.id not in text:
                near = form.split("%s")[0] in text
                self.replace(node, form % node.id, "wrap", 0.15 if near else 0.04)

    def one_operand_more(self, node, parent):
        scope = self.program.scope[node]
        if not isinstance(parent, (ast.Tuple, ast.Call)) or scope.kind(node.id) not in COUNTED:
            return
        for other in scope.names()[:10]:
            if other != node.id and scope.kind(other) in COUNTED:
                self.replace(node, "%s + %s" % (other, node.id), "operand", 0.06)
                self.replace(node, "%s - %s" % (node.id, other), "operand", 0.03)

    def collect_neighbours(self):
        self.wrappings = {}
        self.imports = [[each.asname or each.name for each in node.names] for node in self.source.tree.body if isinstance(node, ast.ImportFrom)]
        for node in self.program.order:
            inner = node
            while isinstance(inner, ast.Call) and isinstance(inner.func, ast.Name) and len(inner.args) == 1 and not inner.keywords:
                inner = inner.args[0]
            if inner is not node and isinstance(inner, ast.Name) and node.lineno == node.end_lineno:
                text, name = self.source.slice(node), inner.id
                at = text.rfind("(" + name) + 1
                form = text[:at].replace("%", "%%") + "%s" + text[at + len(name):].replace("%", "%%")
                known = self.wrappings.setdefault(self.function_of(self.program.scope[node]), [])
                if at > 0 and form not in known and "range" not in form and "len" not in form:
                    known.append(form)
`;
