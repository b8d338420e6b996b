/** Makes a condition false that holds for an honest implementation, or true where it does not. */
export const CONDITIONS = String.raw`
CLOSE = {"isclose", "allclose", "array_equal", "array_equiv", "equal"}

STATUSES = {"exit_code", "returncode", "exitcode", "status", "status_code"}

def negate(source, node):
    if isinstance(node, ast.Constant):
        # It says nothing about the implementation.
        return None
    if isinstance(node, ast.Compare) and len(node.ops) == 1:
        words = {ast.IsNot: "is", ast.NotIn: "in", ast.NotEq: "=="}.get(type(node.ops[0]))
        between = source.data[source.end(node.left):source.start(node.comparators[0])].decode("utf-8")
        found = words and re.fullmatch(r"([\s)]*)(is\s+not|not\s+in|!=)([\s(]*)", between)
        if found:
            at = source.end(node.left)
            return [(at, at + len(between.encode("utf-8")), found[1] + words + found[3])]
    return source.wrap(node, "not (", ")")

def unequal(source, left, right, far=False):
    """Edits after which the two sides differ. Operators stay: an object that equals everything must still pass."""
    # A program that fails because of another edit ends with 1.
    far = far or name_of(left) in STATUSES
    for side in (right, left):
        edits = note_further(source, side, change_literal(source, side, far), far)
        if edits:
            return edits
    return wrap_other(source, left, right)

def calls(node):
    return any(isinstance(part, (ast.Call, ast.Await)) for part in ast.walk(node))

def wrap_other(source, left, right):
    """Another value on the side that is expected: what is called for it is on the left, as a rule."""
    side = left if calls(right) and not calls(left) else right
    return note_rows(source, side, source.wrap(side, *OTHER))

def outside(source, left, right):
    """Edits after which the left side is not in the right side."""
    if isinstance(left, (ast.Constant, ast.JoinedStr, ast.Tuple, ast.UnaryOp)):
        edits = change_literal(source, left, True)
        if edits:
            return edits
    if isinstance(right, (ast.Constant, ast.JoinedStr)):
        return None
    if calls(left) and not calls(right):
        return source.wrap(right, "[(", ", None)]")
    return source.wrap(left, *OTHER)

def compared(source, node, wanted):
    """For a comparison with one operator: edits after which it is false, or true where its opposite was wanted."""
    if not isinstance(node, ast.Compare):
        return None
    operators = [type(operator) for operator in node.ops]
    left, right = node.left, node.comparators[-1]
    if wanted and len(operators) > 1 and set(operators) == {ast.Eq}:
        return change_literal(source, right)
    if len(operators) > 1:
        return move_bound(source, node.comparators[-2], operators[-1], right) if wanted else None
    if operators[0] is (ast.Eq if wanted else ast.NotEq):
        return unequal(source, left, right)
    if operators[0] is (ast.In if wanted else ast.NotIn):
        return outside(source, left, right)
    if operators[0] is (ast.Is if wanted else ast.IsNot) and isinstance(right, ast.Constant) and type(right.value) is bool:
        return change_constant(source, right, False)
    if operators[0] in ((ast.Lt, ast.LtE) if wanted else (ast.Gt, ast.GtE)):
        edits = distance(source, left, right)
        if edits:
            return edits
    return move_bound(source, left, operators[0] if wanted else OPPOSITE_ORDER.get(operators[0]), right)

OPPOSITE_ORDER = {ast.Lt: ast.Gt, ast.LtE: ast.GtE, ast.Gt: ast.Lt, ast.GtE: ast.LtE}

def move_bound(source, left, operator, right):
    """A number that something must be below or above, moved out of reach. What is below and above everything still passes."""
    if operator not in OPPOSITE_ORDER:
        return None
    is_below = operator in (ast.Lt, ast.LtE)
    for side, sign in ((right, -1 if is_below else 1), (left, 1 if is_below else -1)):
        try:
            bound = ast.literal_eval(side)
        except (ValueError, TypeError, SyntaxError):
            continue
        if type(bound) in (int, float):
            return [source.replace(side, repr(bound + sign * (abs(bound) * 1000 + 10 ** 6)))]
    return None

def distance(source, left, right):
    """abs(value - 2.5) < 1e-6"""
    small = isinstance(right, ast.Constant) and isinstance(right.value, float) and right.value < 1
    if small and call_name(left) == "abs" and len(left.args) == 1 and isinstance(left.args[0], ast.BinOp):
        difference = left.args[0]
        if isinstance(difference.op, ast.Sub):
            return change_literal(source, difference.right, True) or change_literal(source, difference.left, True)
    return None

def make_false(source, node):
    edits = compared(source, node, True)
    if edits:
        return edits
    if isinstance(node, ast.BoolOp) and isinstance(node.op, ast.And):
        for value in node.values:
            edits = compared(source, value, True)
            if edits:
                return edits
    if isinstance(node, ast.BoolOp) and isinstance(node.op, ast.Or):
        # One that holds is enough: all of them must be wrong.
        edits = [compared(source, value, True) for value in node.values]
        if all(edits):
            return [edit for group in edits for edit in group]
    if isinstance(node, ast.Call) and not node.keywords:
        if call_name(node) in CLOSE and len(node.args) == 2:
            edits = change_literal(source, node.args[1], True)
        elif call_name(node) in ("startswith", "endswith") and len(node.args) == 1:
            edits = change_literal(source, node.args[0], True) if isinstance(node.args[0], ast.Constant) else None
        if edits:
            return edits
    if isinstance(node, ast.Constant):
        return None
    return negate(source, node)

def make_true(source, node):
    if isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.Not):
        return make_false(source, node.operand)
    edits = compared(source, node, False)
    if edits:
        return edits
    if isinstance(node, ast.BoolOp) and isinstance(node.op, ast.Or):
        for value in node.values:
            edits = compared(source, value, False)
            if edits:
                return edits
    return negate(source, node)
`;
