/** Changes one literal inside an expression, so that its value is another one. */
export const LITERALS = String.raw`
# Another value of the same kind, whatever it is: an object that equals "everything but what a control uses" finds nothing to
# tell it by. Nested values are changed inside.
OTHER = ("(lambda f, v: f(f, v))(lambda f, v: not v if v is True or v is False"
         " else v + max(abs(v), 1.0) * 0.001 if type(v) is float and abs(v) < 2 ** 50"
         " else v + 1 if type(v).__name__ in ('int', 'float', 'complex', 'Decimal', 'Fraction') and v + 1 != v"
         " else v + type(v)(b's' if type(v) is bytes else 's') if type(v) in (str, bytes)"
         " else type(v)([*v[:-1], f(f, v[-1]) if v else 0]) if type(v) in (list, tuple)"
         " else {**v, [*v, 's'][max(0, len(v) - 1)]: f(f, [*v.values(), 0][max(0, len(v) - 1)])} if type(v) is dict"
         " else v ^ {'s'} if type(v) in (set, frozenset)"
         " else v.replace(year=v.year - 4) if hasattr(v, 'year') and hasattr(v, 'replace')"
         " else (v, None), ", ")")
# Where a tolerance is allowed for.
FAR_OTHER = ("(", ") * 3 + 7")

def tail(at):
    """An ending that is no part of any likely text, and that nobody knows beforehand."""
    digest = hashlib.sha256((ASKED.get("salt", "") + str(at)).encode()).digest()
    return "".join("bcdfghjkmpqtvwxz"[byte % 16] for byte in digest[:4])
# What takes a value and stands for it: a literal inside can be changed without breaking the call.
VALUES = {"approx", "Decimal", "Fraction", "set", "frozenset", "list", "tuple", "dict", "bytes", "bytearray", "float",
          "array", "asarray", "Path", "PurePath", "PosixPath", "PurePosixPath", "complex", "OrderedDict", "deque",
          "timedelta", "tensor", "Series", "datetime", "date", "time"}

def next_letter(letter):
    if letter == "9":
        return "8"
    if letter in "zZ":
        return "y" if letter == "z" else "Y"
    # Stays a hexadecimal digit where it was one.
    if letter in "fF":
        return "e" if letter == "f" else "E"
    return chr(ord(letter) + 1)

def changed_string(text, far, at):
    """Source text of a string with another ending; it may consist of several parts, the last of which is changed."""
    quotes = text[-3:] if text[-3:] in ('"""', "'''") else text[-1:]
    body = text[:-len(quotes)]
    if re.fullmatch("['\"][+-]?(inf|infinity|nan)['\"]", text, re.I):
        return text[0] + "1" + quotes
    if far:
        return body + tail(at) + quotes
    last = body[-1:]
    if last.isascii() and last.isalnum() and "\\" not in body[-12:]:
        return body[:-1] + next_letter(last) + quotes
    return body + "s" + quotes

def changed_number(value, far):
    if isinstance(value, complex):
        return repr(value + 1j)
    if far:
        other = value * 3 + 7
        return repr(other) if other == other and abs(other) != float("inf") else "1.5"
    if isinstance(value, float) and value != value + 1:
        # Close to it: what is compared with a tolerance of its own passes still.
        return repr(value + max(abs(value), 1.0) * 0.001)
    if isinstance(value, int) and abs(value) < 2 ** 50:
        return repr(value + 1)
    return repr(value // 3)

def change_constant(source, node, far):
    value = node.value
    if value is True or value is False:
        return [source.replace(node, repr(not value))]
    if value is None:
        return [source.replace(node, "0")]
    if isinstance(value, (int, float, complex)):
        return [source.replace(node, changed_number(value, far))]
    if isinstance(value, (str, bytes)):
        return [source.replace(node, changed_string(source.text(node), far, node.lineno))]
    return None

def change_first(source, nodes, far):
    for node in nodes:
        edits = node is not None and change_literal(source, node, far)
        if edits:
            return edits
    return None

def insert_first(source, node, text):
    at = source.start(node) + 1
    return [(at, at, text)]

def change_literal(source, node, far=False):
    """Edits that give a literal expression another value; None where it holds no literal that surely matters."""
    if isinstance(node, ast.Constant):
        return change_constant(source, node, far)
    if isinstance(node, ast.JoinedStr):
        return [source.replace(node, changed_string(source.text(node), far, node.lineno))]
    if isinstance(node, ast.UnaryOp) and isinstance(node.op, (ast.USub, ast.UAdd)):
        return change_literal(source, node.operand, far)
    if isinstance(node, (ast.List, ast.Tuple, ast.Set)):
        if not node.elts:
            return insert_first(source, node, "0" if isinstance(node, ast.List) else "0,")
        return change_first(source, node.elts, far)
    if isinstance(node, ast.Dict):
        if not node.keys:
            return insert_first(source, node, "0: 0")
        return change_first(source, node.values, far) or change_first(source, node.keys, far)
    if isinstance(node, ast.BinOp):
        return change_operand(source, node, far)
    if isinstance(node, ast.Call) and call_name(node) in VALUES:
        return change_argument(source, node, far)
    return None

def change_operand(source, node, far):
    sides = [node.right, node.left]
    if isinstance(node.op, (ast.Add, ast.Sub)):
        return change_first(source, sides, far)
    if isinstance(node.op, ast.Mult):
        times = [side for side in sides if isinstance(side, ast.Constant) and type(side.value) is int and side.value > 0]
        texts = [side for side in sides if isinstance(side, ast.List) and side.elts
                 or isinstance(side, ast.Constant) and isinstance(side.value, (str, bytes))]
        return change_first(source, texts, far) if times and texts else None
    return None

def change_argument(source, node, far):
    name = call_name(node)
    if any(isinstance(argument, ast.Starred) for argument in node.args):
        return None
    first = node.args[0] if node.args else None
    if name in ("datetime", "date") and isinstance(first, ast.Constant) and type(first.value) is int:
        # Four years on, the 29th of February is there as well.
        return [source.replace(first, repr(first.value + 4 if first.value < 9990 else first.value - 4))]
    if name == "time" and isinstance(first, ast.Constant) and type(first.value) is int:
        return [source.replace(first, repr(first.value - 1 if first.value else 1))]
    if name in ("datetime", "date", "time"):
        return None
    if name == "timedelta":
        return change_first(source, node.args + [keyword.value for keyword in node.keywords], far)
    if name == "dict" and not node.args:
        return change_first(source, [keyword.value for keyword in node.keywords], far)
    return change_literal(source, first, far or name == "approx") if first is not None else None
`;
