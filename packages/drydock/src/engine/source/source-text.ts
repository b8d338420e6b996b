/**
 * The first part of the Python program that lists edits: positions. The syntax tree counts in bytes of UTF-8, the tokens
 * in characters, and the caller in UTF-16 code units.
 */
export const SOURCE_TEXT = String.raw`
import ast, bisect, io, json, re, sys, tokenize

class Source:
    def __init__(self, text):
        self.shift = 1 if text.startswith("\ufeff") else 0
        self.text = text[self.shift:]
        lines = re.split(r"(?<=\n)|(?<=\r)(?!\n)", self.text)
        self.lines = lines
        self.starts = [0]
        for line in lines:
            self.starts.append(self.starts[-1] + len(line))
        self.tree = ast.parse(self.text)
        self.tokens = []
        self.wide = [at for at, char in enumerate(self.text) if ord(char) > 0xFFFF]
        for token in tokenize.generate_tokens(io.StringIO(self.text, newline="").readline):
            if token.type in (tokenize.OP, tokenize.NAME):
                self.tokens.append((self.starts[token.start[0] - 1] + token.start[1], token.string))
        self.at = [start for start, _ in self.tokens]

    def offset(self, line, column):
        text = self.lines[line - 1]
        chars = column if text.isascii() else len(text.encode()[:column].decode())
        return self.starts[line - 1] + chars

    def start(self, node):
        return self.offset(node.lineno, node.col_offset)

    def end(self, node):
        return self.offset(node.end_lineno, node.end_col_offset)

    def slice(self, node):
        return self.text[self.start(node):self.end(node)]

    def line(self, offset):
        return bisect.bisect_right(self.starts, offset)

    def utf16(self, offset):
        return offset + bisect.bisect_left(self.wide, offset) + self.shift

    def find(self, words, start, end):
        """Where the words stand one after the other between two offsets; None where they don't."""
        first = bisect.bisect_left(self.at, start)
        for index in range(first, len(self.tokens)):
            if self.at[index] >= end:
                return None
            found = self.tokens[index:index + len(words)]
            if [text for _, text in found] == words:
                return found[0][0], found[-1][0] + len(words[-1])
        return None
`;
