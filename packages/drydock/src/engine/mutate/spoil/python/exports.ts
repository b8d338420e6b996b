/** Makes the functions of source files return garbage. */
export const EXPORTS = `
# Python itself uses what these return while it makes classes and objects.
KEPT = {"__new__", "__init__", "__init_subclass__", "__set_name__", "__class_getitem__", "__prepare__", "__getattr__", "__dir__"}
FUNCTIONS = (ast.FunctionDef, ast.AsyncFunctionDef, ast.Lambda)

def used_early(node, names):
    """Functions that are called, or decorate something, while the module loads."""
    for child in ast.iter_child_nodes(node):
        if isinstance(child, ast.Call):
            names.add(name_of(child.func))
        for decorator in getattr(child, "decorator_list", ()):
            names.add(call_name(decorator) or name_of(decorator))
            used_early(decorator, names)
        if not isinstance(child, FUNCTIONS):
            used_early(child, names)
    return names

def garbage(source, node):
    # Neither true nor false, and equal to nothing; garbage made from garbage is the same.
    return source.wrap(node, "(", ', type("", (), {"__bool__": None})())[-1]')

def spoil_returns(source):
    early, groups = used_early(source.tree, set()), []

    def visit(node, active):
        if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef)):
            active = node.name not in early and node.name not in KEPT
        if isinstance(node, ast.JoinedStr):
            return
        if active and isinstance(node, (ast.Return, ast.Yield)) and node.value is not None:
            groups.append(garbage(source, node.value))
        for child in ast.iter_child_nodes(node):
            visit(child, active)

    visit(source.tree, False)
    return groups
`;
