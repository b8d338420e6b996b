"""What runs in the process of the code: the guard, the interpreter, the report of a result. Node's part is
`worker.cjs`.

May import `contain`; never `files` or `attend`."""
