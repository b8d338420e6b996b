/** Spoils what assertion functions expect: unittest, pytest, numpy and pandas, mocks, matchers. */
export const CALLS = `
OPPOSITES = {
    "assertTrue": "assertFalse", "assertIs": "assertIsNot", "assertIsNone": "assertIsNotNone", "assertIn": "assertNotIn",
    "assertIsInstance": "assertNotIsInstance", "assertEqual": "assertNotEqual", "assertEquals": "assertNotEqual",
    "assertAlmostEqual": "assertNotAlmostEqual", "assertRegex": "assertNotRegex", "assertStartsWith": "assertNotStartsWith",
    "assertEndsWith": "assertNotEndsWith", "assertHasAttr": "assertNotHasAttr", "assertIsSubclass": "assertNotIsSubclass",
    "assertContains": "assertNotContains", "assertTemplateUsed": "assertTemplateNotUsed", "assertHTMLEqual": "assertHTMLNotEqual",
    "assertJSONEqual": "assertJSONNotEqual", "assertXMLEqual": "assertXMLNotEqual",
    "assert_true": "assert_false", "assert_is_none": "assert_is_not_none", "assert_in": "assert_not_in",
    "assert_is_instance": "assert_not_is_instance",
}
OPPOSITES.update({other: name for name, other in list(OPPOSITES.items()) if name != "assertEquals"})
OPPOSITES.update({
    "assertGreater": "assertLessEqual", "assertLessEqual": "assertGreater", "assertLess": "assertGreaterEqual",
    "assertGreaterEqual": "assertLess", "assert_called": "assert_not_called", "assert_called_once": "assert_not_called",
    "assert_not_called": "assert_called", "assert_awaited": "assert_not_awaited", "assert_awaited_once": "assert_not_awaited",
    "assert_not_awaited": "assert_awaited", "assertNoLogs": "assertLogs", "assert_not_equal": "assert_equal",
})
# Text around an expected value that makes it another one of the same kind.
EQUALS = {
    **dict.fromkeys(("assertEqual", "assertEquals", "assertDictEqual", "assertListEqual",
                     "assertTupleEqual", "assertSetEqual", "assert_equal", "eq_"), OTHER),
    **dict.fromkeys(("assertSequenceEqual", "assertCountEqual", "assertItemsEqual", "assertQuerysetEqual", "assertQuerySetEqual"),
                    ("[*(", "), None]")),
    **dict.fromkeys(("assertMultiLineEqual", "assertRedirects", "assert_string_equal"), ("(", ') + "."')),
    **dict.fromkeys(("assertAlmostEqual", "assertAlmostEquals", "assert_allclose", "assert_almost_equal", "assert_array_almost_equal", "assert_array_almost_equal_nulp",
                     "assert_array_max_ulp", "assert_approx_equal", "assert_close"), FAR_OTHER),
    **dict.fromkeys(("assert_array_equal", "assert_frame_equal", "assert_series_equal", "assert_index_equal",
                     "assert_extension_array_equal"), ("(", ", None)")),
    "assertDictContainsSubset": None,
}
NUMERIC = re.compile("almost|close|approx|nulp|ulp", re.I)
EXPECTED = ("second", "expected", "desired", "right", "y")
MATCHERS = {"equal_to", "is_equal_to", "has_length", "is_length", "contains_string", "close_to", "is_close_to"}
CALLED = {"assert_called_with", "assert_called_once_with", "assert_any_call", "assert_has_calls", "assert_awaited_with",
          "assert_awaited_once_with", "assert_any_await", "assert_has_awaits"}
RAISES = {"raises", "assertRaises", "assertRaisesRegex", "assertRaisesRegexp", "assertRaisesMessage", "assert_raises",
          "assert_raises_regex"}
WARNS = {"warns", "assertWarns", "assertWarnsRegex", "assertWarnsMessage", "assert_warns"}

# Classes that hardly anything raises, and that few derive from.
ERRORS = ("BufferError", "EOFError", "ChildProcessError", "UnicodeTranslateError", "FloatingPointError", "InterruptedError")
WARNINGS = ("BytesWarning", "ImportWarning", "UnicodeWarning", "PendingDeprecationWarning")

def spare_classes(node, names):
    """Two of these names, which ones nobody knows beforehand."""
    first = ord(tail(node.lineno)[0]) % len(names)
    return names[first], names[first - 1]

def keyword_value(node, names):
    return next((keyword.value for keyword in node.keywords if keyword.arg in names), None)

def rename(source, node, name):
    """The last part of what is called, under another name."""
    end = source.end(node.func)
    return [(end - len(name_of(node.func).encode("utf-8")), end, name)]

def insert_argument(source, node, text):
    """One more argument, before all others."""
    at = source.data.index(b"(", source.end(node.func)) + 1
    return [(at, at, text + (", " if node.args or node.keywords else ""))]

def other_class(source, node, names, text, spare):
    """Another class in the place of the one that is expected."""
    if not node.args and keyword_value(node, names) is None:
        return insert_argument(source, node, text)
    expected = node.args[0] if node.args else keyword_value(node, names)
    if isinstance(expected, ast.Starred):
        return None
    named = name_of(expected)[:1].islower() and b"KeyboardInterrupt" in source.data
    if named or "KeyboardInterrupt" in source.text(expected):
        # One that nobody expects would end the runner, and with it all other tests.
        match = keyword_value(node, ("match",))
        if match is not None or call_name(node) != "raises":
            return match is not None and change_literal(source, match, True) or None
        return [(source.end(expected), source.end(expected), ', match="' + tail(node.lineno) + '"')]
    return [source.replace(expected, spare if text in source.text(expected) else text)]

def spoil_equal(source, node, name):
    far = NUMERIC.search(name) is not None or bool(node.args) and name_of(node.args[0]) in STATUSES
    plain = [argument for argument in node.args if not isinstance(argument, ast.Starred)]
    second = plain[1] if len(plain) > 1 and plain == node.args else keyword_value(node, EXPECTED)
    if second is None:
        return rename(source, node, OPPOSITES[name]) if name in OPPOSITES else None
    is_ordered = name not in ("assertCountEqual", "assertItemsEqual", "assertQuerysetEqual", "assertQuerySetEqual", "assertSetEqual")
    edits = note_further(source, second, change_literal(source, second, far), far or not is_ordered)
    first = plain[0] if plain and plain == node.args else None
    if not edits and first is not None:
        edits = change_literal(source, first, far)
    return edits or (note_rows(source, second, source.wrap(second, *EQUALS[name])) if EQUALS[name] else None)

def spoil_called(source, node):
    values = [value for value in node.args + [keyword.value for keyword in node.keywords] if not isinstance(value, ast.Starred)]
    if call_name(node).startswith("assert_has"):
        return source.wrap(values[0], "[*(", "), None]") if values else None
    edits = change_first(source, values, False)
    if edits or not node.args and not node.keywords:
        return edits or insert_argument(source, node, "None")
    return source.wrap(values[0], *OTHER) if values else None

def spoil_truth_call(source, node, name):
    """assertTrue(value == 5), assertIn("a", value)"""
    plain = not any(isinstance(argument, ast.Starred) for argument in node.args)
    edits = None
    if plain and name in ("assertTrue", "assert_true", "assert_") and node.args:
        edits = compared(source, node.args[0], True)
    elif plain and name in ("assertFalse", "assert_false") and node.args:
        edits = compared(source, node.args[0], False)
    elif plain and name in ("assertIn", "assert_in") and len(node.args) > 1:
        edits = outside(source, node.args[0], node.args[1])
    elif plain and name == "assertIs" and len(node.args) > 1 and isinstance(node.args[1], ast.Constant):
        edits = change_constant(source, node.args[1], False) if type(node.args[1].value) is bool else None
    if edits:
        return edits
    if name == "assert_":
        return negate(source, node.args[0]) if plain and node.args else None
    return rename(source, node, OPPOSITES[name])

def spoil_call(source, node):
    name = call_name(node)
    if name in RAISES:
        return other_class(source, node, ("expected_exception", "exception"), *spare_classes(node, ERRORS))
    if name in WARNS:
        return other_class(source, node, ("expected_warning", "warning"), *spare_classes(node, WARNINGS))
    if name in EQUALS:
        return spoil_equal(source, node, name)
    if name in OPPOSITES or name == "assert_":
        return spoil_truth_call(source, node, name)
    if name in CALLED:
        return spoil_called(source, node)
    if name == "assertNumQueries" and node.args:
        return change_literal(source, node.args[0])
    if name == "assertLogs":
        first = node.args[0] if node.args else keyword_value(node, ("logger",))
        if first is None:
            return insert_argument(source, node, '"__main__.other"')
        return change_literal(source, first, True) or [source.replace(first, '"__main__.other"')]
    if name in MATCHERS and node.args:
        return change_literal(source, node.args[0], True) or source.wrap(node.args[0], *OTHER)
    return None
`;
