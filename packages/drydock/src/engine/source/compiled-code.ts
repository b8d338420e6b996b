/**
 * Comes first in the Python programs that run tests again and again in one sandbox. Compiled code that lies in the tree is
 * not used: somebody may have put it there. That of Python itself and its packages is, as by the witness of a check: to
 * compile pytest anew takes longer than to run a small suite with it.
 */
export const COMPILED_CODE = `
import sys
sys.pycache_prefix = sys.pycache_prefix or "/tmp/drydock-pycache"
def use_compiled_packages(root):
    loading = sys.modules["_frozen_importlib_external"]
    elsewhere, installed = loading.cache_from_source, sys.base_prefix.rstrip("/") + "/lib"

    def cache_from_source(path, debug_override=None, *, optimization=None):
        plain = debug_override is None and optimization is None and type(path) is str
        if plain and path.startswith(installed) and path.endswith(".py") and not path.startswith(root.rstrip("/") + "/"):
            directory, _, name = path.rpartition("/")
            ending = ".opt-%d" % sys.flags.optimize if sys.flags.optimize else ""
            return "%s/__pycache__/%s.%s%s.pyc" % (directory, name[:-3], sys.implementation.cache_tag, ending)
        return elsewhere(path, debug_override, optimization=optimization)

    loading.cache_from_source = cache_from_source

use_compiled_packages(sys.modules["posix"].getcwd())
`;
