PRECEDENCE = {"+": 1, "-": 1, "*": 2, "/": 2}


def to_postfix(tokens):
    """Operators behind their operands: 1 + 2 becomes 1 2 +."""
    output, waiting = [], []
    for token in tokens:
        if token not in PRECEDENCE:
            output.append(token)
            continue
        while waiting and PRECEDENCE[waiting[-1]] > PRECEDENCE[token]:
            output.append(waiting.pop())
        waiting.append(token)
    return output + waiting[::-1]
