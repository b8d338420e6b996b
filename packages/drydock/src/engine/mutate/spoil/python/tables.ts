/**
 * Tables that a test goes through in a loop: with what it compares with made wrong in all rows at once, one row that is right
 * vouches for all others. Each row is made wrong by itself as well.
 */
export const TABLES = String.raw`
# Names that loops around the visited place bind to values of a table which is written out.
BOUND = {}

def list_rows(source, node):
    """The values that a loop goes through, each a syntax tree; None for one that can't be read. None: nothing can."""
    if isinstance(node, (ast.List, ast.Tuple)):
        return None if any(isinstance(each, ast.Starred) for each in node.elts) else list(node.elts)
    if isinstance(node, ast.Name):
        values = [each.value for each in source.tree.body if isinstance(each, ast.Assign) and len(each.targets) == 1
                  and isinstance(each.targets[0], ast.Name) and each.targets[0].id == node.id]
        return list_rows(source, values[0]) if len(values) == 1 and not isinstance(values[0], ast.Name) else None
    if call_name(node) == "enumerate" and node.args:
        rows = list_rows(source, node.args[0])
        return rows and [(None, row) for row in rows]
    if call_name(node) == "zip":
        columns = [list_rows(source, each) for each in node.args]
        count = max((len(column) for column in columns if column), default=0)
        return [tuple(column[at] if column and at < len(column) else None for column in columns) for at in range(count)] or None
    return None

def bind_rows(target, rows):
    """Names of a loop's target, with their value in each row."""
    if isinstance(target, ast.Name):
        return {target.id: [row for row in rows if isinstance(row, ast.AST)]}
    bound = {}
    if isinstance(target, (ast.Tuple, ast.List)):
        for at, name in enumerate(target.elts):
            parts = [row.elts if isinstance(row, (ast.Tuple, ast.List)) else row for row in rows]
            bound.update(bind_rows(name, [part[at] for part in parts if isinstance(part, (list, tuple)) and at < len(part)]))
    return bound

def note_rows(source, side, edits):
    """What else could be wrong: one row of the table that this name goes through."""
    rows = BOUND.get(side.id, []) if isinstance(side, ast.Name) else []
    groups = [change_literal(source, row) for row in rows[:MOST_FURTHER]]
    FURTHER[edits[0][:2]] = ([group for group in groups if group], [])
    return edits
`;
