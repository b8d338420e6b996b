/**
 * Part of the Python programs that run tests again and again in one sandbox: whether they left the files as they were. Of
 * directories, whose paths end with a slash, only their modes count: their times change with any file in them.
 */
export const TREE_STATE = `
MAX_FILES = 20000

def read_tree_state(root, left_out):
    """Time, size and mode of each file and directory by its path; None where there are too many to look each time."""
    found = {}
    for directory, names, files in os.walk(root):
        names[:] = [name for name in names if name not in left_out]
        for name in files + names:
            path = os.path.join(directory, name)
            try:
                facts = os.lstat(path)
            except OSError:
                continue
            if stat.S_ISDIR(facts.st_mode):
                found[path + "/"] = 0, 0, facts.st_mode
            else:
                found[path] = facts.st_mtime_ns, facts.st_size, facts.st_mode
        if len(found) > MAX_FILES:
            return None
    return found
`;
