/** Part of the Python programs that run tests again and again in one sandbox: what the tests import from outside the tree. */
export const LIST_MODULES = `
def list_modules():
    """They are the same whatever is changed in the tree, and can be imported before it is."""
    found = []
    for name, module in list(sys.modules.items()):
        path = getattr(module, "__file__", None) or ""
        if name != "__main__" and os.path.isabs(path) and not path.startswith(root + "/") and path.endswith((".py", ".so")):
            found.append(name)
    return found
`;
