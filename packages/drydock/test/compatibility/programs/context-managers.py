import contextlib
import io


@contextlib.contextmanager
def tag(name):
    print("<%s>" % name)
    try:
        yield name
    finally:
        print("</%s>" % name)


with tag("a"), contextlib.suppress(ZeroDivisionError):
    1 / 0
with contextlib.redirect_stdout(io.StringIO()) as held:
    print("hidden")
print(repr(held.getvalue()))
with contextlib.ExitStack() as stack:
    stack.enter_context(tag("b"))
    stack.callback(print, "callback")
