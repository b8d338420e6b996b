/** Part of the Python programs that run tests again and again in one sandbox: where children leave what they found out. */
export const HANDED_OVER = `
def make_file(name):
    """In memory, as far as there is such a thing: where no control group counts it, the sandbox has none."""
    try:
        return os.memfd_create(name)
    except OSError:
        with tempfile.TemporaryFile() as file:
            return os.dup(file.fileno())
`;
