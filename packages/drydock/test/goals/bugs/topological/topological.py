def order(needs):
    """Names so that each comes after all that it needs."""
    done = []

    def visit(name):
        if name not in done:
            for needed in needs[name]:
                visit(needed)
            done.insert(0, name)

    for name in sorted(needs):
        visit(name)
    return done
