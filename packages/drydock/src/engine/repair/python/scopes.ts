/**
 * Part of the Python program that lists candidates: what is known about names. Kinds are guesses from how a name is used.
 * They only decide what is tried first.
 */
export const SCOPES = `
import random, math

METHOD_KINDS = {"append": "list", "extend": "list", "insert": "list", "sort": "list", "pop": "list", "add": "set",
                "discard": "set", "union": "set", "update": "dict", "items": "dict", "keys": "dict", "values": "dict",
                "setdefault": "dict", "popleft": "list", "appendleft": "list", "join": "str", "split": "str",
                "strip": "str", "lower": "str", "upper": "str", "startswith": "str", "endswith": "str", "replace": "str"}
CALL_KINDS = {"len": "int", "int": "int", "abs": "int", "sum": "int", "round": "int", "ord": "int", "min": "any", "max": "any",
              "list": "list", "sorted": "list", "range": "list", "set": "set", "dict": "dict", "str": "str", "chr": "str",
              "float": "int", "deque": "list", "defaultdict": "dict", "Counter": "dict", "OrderedDict": "dict",
              "reversed": "list", "enumerate": "list", "zip": "list", "tuple": "list", "repr": "str", "bool": "bool",
              "isinstance": "bool", "any": "bool", "all": "bool"}
FUNCTION_NODES = (ast.FunctionDef, ast.AsyncFunctionDef, ast.Lambda)

def guess(node):
    """The kind of value that an expression most likely has; "any" where nothing tells."""
    if isinstance(node, ast.Constant):
        if isinstance(node.value, bool):
            return "bool"
        return "int" if isinstance(node.value, (int, float)) else "str" if isinstance(node.value, str) else "any"
    if isinstance(node, (ast.List, ast.ListComp, ast.Tuple, ast.GeneratorExp)):
        return "list"
    if isinstance(node, (ast.Set, ast.SetComp)):
        return "set"
    if isinstance(node, (ast.Dict, ast.DictComp)):
        return "dict"
    if isinstance(node, ast.JoinedStr):
        return "str"
    if isinstance(node, ast.Compare) or isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.Not):
        return "bool"
    if isinstance(node, ast.Call) and isinstance(node.func, ast.Name):
        return CALL_KINDS.get(node.func.id, "any")
    if isinstance(node, ast.BinOp):
        left, right = guess(node.left), guess(node.right)
        if isinstance(node.op, (ast.Sub, ast.Div, ast.FloorDiv, ast.Pow)) and left != "set":
            return "int"
        return left if left != "any" else right if not isinstance(node.op, ast.Mod) else "any"
    return "any"

class Scope:
    """The names that can be used inside one function."""
    def __init__(self, node, outer):
        self.node, self.outer = node, outer
        self.params, self.stored, self.kinds, self.used = [], [], {}, {}
        if node is not None and not isinstance(node, ast.ClassDef):
            given = node.args
            every = given.posonlyargs + given.args + given.kwonlyargs + [each for each in (given.vararg, given.kwarg) if each]
            self.params = [each.arg for each in every]

    def note(self, name, kind):
        if kind != "any" and self.kinds.get(name, "any") == "any":
            self.kinds[name] = kind

    def kind(self, name):
        if name in self.kinds:
            return self.kinds[name]
        return self.outer.kind(name) if self.outer else "any"

    def own(self):
        return list(dict.fromkeys(self.params + self.stored))

    def names(self):
        """Own names first, then those of the functions around it."""
        found = self.own()
        if self.outer and self.outer.node is not None and not isinstance(self.outer.node, ast.ClassDef):
            found += self.outer.names()
        return [name for name in dict.fromkeys(found) if name not in ("self", "cls", "_")]

def read_kinds(scope, node):
    if isinstance(node, ast.Name):
        scope.used[node.id] = scope.used.get(node.id, 0) + 1
        if isinstance(node.ctx, ast.Store):
            scope.stored.append(node.id)
    elif isinstance(node, ast.Assign) and len(node.targets) == 1 and isinstance(node.targets[0], ast.Name):
        scope.note(node.targets[0].id, guess(node.value))
    elif isinstance(node, ast.AugAssign) and isinstance(node.target, ast.Name):
        scope.note(node.target.id, guess(node.value))
    elif isinstance(node, (ast.For, ast.comprehension)):
        if isinstance(node.iter, ast.Call) and isinstance(node.iter.func, ast.Name):
            if node.iter.func.id == "range" and isinstance(node.target, ast.Name):
                scope.note(node.target.id, "int")
            if node.iter.func.id == "enumerate" and isinstance(node.target, ast.Tuple) and isinstance(node.target.elts[0], ast.Name):
                scope.note(node.target.elts[0].id, "int")
            if node.iter.func.id == "range":
                for each in node.iter.args:
                    if isinstance(each, ast.Name):
                        scope.note(each.id, "int")
        elif isinstance(node.iter, ast.Name):
            scope.note(node.iter.id, "list")
    elif isinstance(node, ast.Call):
        if isinstance(node.func, ast.Attribute) and isinstance(node.func.value, ast.Name):
            scope.note(node.func.value.id, METHOD_KINDS.get(node.func.attr, "any"))
        elif isinstance(node.func, ast.Name):
            scope.note(node.func.id, "call")
            if node.func.id == "len" and node.args and isinstance(node.args[0], ast.Name):
                scope.note(node.args[0].id, "list")
    elif isinstance(node, ast.Compare) and len(node.comparators) == 1:
        for one, other in ((node.left, node.comparators[0]), (node.comparators[0], node.left)):
            if isinstance(one, ast.Name) and not isinstance(node.ops[0], (ast.In, ast.NotIn)):
                scope.note(one.id, guess(other) if guess(other) in ("int", "str") else "any")
    elif isinstance(node, ast.BinOp):
        for one, other in ((node.left, node.right), (node.right, node.left)):
            if isinstance(one, ast.Name) and guess(other) in ("int", "list", "str") and isinstance(node.op, (ast.Add, ast.Sub)):
                scope.note(one.id, guess(other))
    elif isinstance(node, ast.Subscript):
        if isinstance(node.value, ast.Name) and isinstance(node.slice, ast.Slice):
            scope.note(node.value.id, "list")

class Program:
    """The syntax tree with what surrounds each node."""
    def __init__(self, source):
        self.source = source
        self.parent, self.scope, self.statement, self.order = {}, {}, {}, []
        self.attributes, self.module_functions, self.class_of = {}, [], {}
        self.strings, self.numbers = [], []
        self.module = Scope(None, None)
        self.walk(source.tree, self.module, None, None)
        for each in source.tree.body:
            if isinstance(each, (ast.FunctionDef, ast.AsyncFunctionDef)):
                self.module_functions.append(each.name)

    def walk(self, root, scope, statement, owner):
        stack = [(root, scope, statement, owner)]
        while stack:
            node, scope, statement, owner = stack.pop()
            if isinstance(node, ast.stmt):
                statement = node
            self.scope[node], self.statement[node], self.class_of[node] = scope, statement, owner
            self.order.append(node)
            read_kinds(scope, node)
            if isinstance(node, ast.Attribute):
                base = self.source.slice(node.value)
                known = self.attributes.setdefault(base, [])
                if node.attr not in known:
                    known.append(node.attr)
            elif isinstance(node, ast.Constant):
                if isinstance(node.value, str) and len(self.strings) < 25 and node.value not in self.strings and len(node.value) < 60:
                    self.strings.append(node.value)
                elif type(node.value) in (int, float) and len(self.numbers) < 15 and node.value not in self.numbers:
                    self.numbers.append(node.value)
            inner = scope
            if isinstance(node, FUNCTION_NODES):
                inner = Scope(node, scope)
            elif isinstance(node, ast.ClassDef):
                inner, owner = Scope(node, scope), node
            for child in reversed(list(ast.iter_child_nodes(node))):
                self.parent[child] = node
                outside = isinstance(node, FUNCTION_NODES) and (isinstance(child, ast.arguments) or child in getattr(node, "decorator_list", []))
                stack.append((child, scope if outside or inner is scope else inner, statement, owner))
`;
