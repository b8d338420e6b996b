/**
 * Writes what tests compare with in another way: the values stay the same, and neither the text of a test nor its compiled
 * code holds them any more. A change that takes its answers from there has none then.
 */
export const SAME = String.raw`
MOST_SAME = 5000
# What stands for the values that it is given, or compares them.
TAKES = VALUES | set(EQUALS) | set(OPPOSITES) | MATCHERS | CALLED | CLOSE | {"param", "startswith", "endswith"}
ORDERS = {ast.Lt: "<", ast.LtE: "<=", ast.Gt: ">", ast.GtE: ">="}

def other_words(value, at):
    """An expression with this value; None where there is no other."""
    if type(value) is int:
        digest = hashlib.sha256((ASKED.get("salt", "") + "same" + str(at)).encode()).digest()
        away = 1000 + int.from_bytes(digest[:3], "big")
        return '(int("%d") - %d)' % (value + away, away)
    if type(value) is float:
        return "float(%s)" % other_words(repr(value), at)
    if type(value) is str and value:
        return '"".join(chr(ord(c) ^ 1) for c in %s)' % ascii("".join(chr(ord(c) ^ 1) for c in value))
    if type(value) is bytes and value:
        return "bytes(c ^ 1 for c in %r)" % bytes(c ^ 1 for c in value)
    return None

def list_plain(node):
    """Nodes in their order, without what stands in formatted texts: Python does not say where."""
    yield node
    if not isinstance(node, ast.JoinedStr):
        for child in ast.iter_child_nodes(node):
            yield from list_plain(child)

def list_compared(node):
    """Expressions whose literals say what is wanted, or what is given."""
    if isinstance(node, ast.Compare):
        if not any(isinstance(operator, (ast.Is, ast.IsNot)) for operator in node.ops):
            yield from [node.left, *node.comparators]
    elif isinstance(node, ast.Call) and call_name(node) in TAKES:
        yield from node.args
        yield from [keyword.value for keyword in node.keywords if keyword.arg in EXPECTED]
    elif isinstance(node, (ast.Assign, ast.AnnAssign)) and node.value is not None and not is_identity(node):
        yield node.value
    elif isinstance(node, (ast.For, ast.AsyncFor)):
        yield node.iter

# Names that tests compare by identity: another way to the same value may be another object.
IDENTITIES = set()

def note_identities(source):
    IDENTITIES.clear()
    for node in list_plain(source.tree):
        if isinstance(node, ast.Compare) and any(isinstance(operator, (ast.Is, ast.IsNot)) for operator in node.ops):
            IDENTITIES.update(name_of(side) for side in [node.left, *node.comparators])

def is_identity(node):
    targets = node.targets if isinstance(node, ast.Assign) else [node.target]
    return any(name_of(part) in IDENTITIES for target in targets for part in ast.walk(target))

def is_failure(node):
    """A comparison that must not hold: not a > b, assertFalse(a > b), if a > b: fail()"""
    if isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.Not):
        return node.operand
    if isinstance(node, ast.Call) and call_name(node) in ("assertFalse", "assert_false") and node.args:
        return node.args[0]
    if isinstance(node, ast.If) and any(map(fails, node.body)):
        return node.test
    return None

def order_fully(source, node):
    """What is neither more nor less than anything is not less either: it does not compare with itself."""
    if not isinstance(node, ast.Compare) or len(node.ops) != 1 or type(node.ops[0]) not in ORDERS:
        return []
    sign = ORDERS[type(node.ops[0])]
    start, end = source.end(node.left), source.start(node.comparators[0])
    if source.data[start:end].decode("utf-8").strip() != sign:
        return []
    before, after = source.wrap(node, "(lambda a, b: a %s b or a != a or b != b)(" % sign, ")")
    return [before, (start, end, ", "), after]

def write_otherwise(source):
    """Edits that change no value; none where they break the syntax."""
    edits, taken = [], set()
    note_identities(source)
    for part in list_plain(source.tree):
        edits += order_fully(source, is_failure(part))
        for value in (value for each in list_compared(part) for value in list_values(each)):
            text = other_words(value.value, value.lineno)
            if text is not None and source.start(value) not in taken:
                taken.add(source.start(value))
                edits.append(source.replace(value, text))
    edits = edits[:MOST_SAME]
    return edits if edits and parses(source.apply([edits])) else []
`;
