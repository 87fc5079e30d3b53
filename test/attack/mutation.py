"""Changes the text of modules, by what their tokens are."""

import re

# Where arithmetic in 32 and 64 bits, and sizes in memory, end.
_EXTREMES = [
    0,
    1,
    -1,
    2,
    3,
    7,
    8,
    13,
    17,
    63,
    65,
    127,
    1 << 10,
    1021,
    (1 << 16) + 1,
    1 << 20,
    (1 << 31) - 1,
    1 << 31,
    1 << 32,
    (1 << 32) + 1,
    1 << 40,
    1 << 62,
    (1 << 63) - 1,
    -(1 << 63),
    (1 << 63),
    (1 << 64) + 1,
    10**30,
]
_ELEMENTS = [
    "f16",
    "bf16",
    "f32",
    "f64",
    "i1",
    "i8",
    "i16",
    "i32",
    "i64",
    "index",
    "f8E4M3FN",
    "complex<f32>",
    "i128",
    "vector<2xf32>",
]
_NAMES = [
    "",
    "1a",
    "a-b",
    "a b",
    "a/b",
    "a,b",
    "@",
    "a.b",
    "\\00",
    "\\22",
    "é",
    "main",
    "printf",
    "x" * 1025,
    "$",
    "__grout",
    "llvm.trap",
]
_OPERATORS = ["+", "-", "*", "floordiv", "ceildiv", "mod"]

# Not every mutation suits every text.
_TRIES = 30

_TOKEN = re.compile(
    r"""
    "(?:[^"\\\n]|\\.)*"            # strings
  | [%@\#!^][\w.$-]+(?:\#\d+)?     # names
  | -?\d+\.\d+(?:[eE][-+]?\d+)?    # floats
  | 0x[0-9a-fA-F]+(?!x)
  | (?<![\w.])-?\d+(?=x)           # extents
  | -?\d+
  | [A-Za-z_][\w.$]*
  | ->|::|==|>=|<=
  | \s+
  | .""",
    re.X | re.S,
)


def tokens(text):
    return _TOKEN.findall(text)


def mutate(chance, text, others):
    """`text` with a change or a few of them. `others` are texts to take parts
    from. A mutation gives None where it finds nothing to change."""
    left = chance.choice([1, 1, 1, 2, 2, 3, 6])
    for _ in range(_TRIES):
        if not left or not text:
            break
        (mutation,) = chance.choices(list(_MUTATIONS), _MUTATIONS.values())
        changed = mutation(chance, text, others)
        if changed not in (None, text):
            text = changed
            left -= 1
    return text


def _replace_one(chance, text, matches, replacement):
    """With one token that matches replaced by replacement(token)."""
    parts = tokens(text)
    places = [i for i, part in enumerate(parts) if matches(part)]
    if not places:
        return None
    place = chance.choice(places)
    old, new = parts[place], replacement(parts[place])
    # All that are the same, now and then: types stay equal then.
    everywhere = chance.random() < 0.4
    return "".join(
        new if i == place or everywhere and part == old else part
        for i, part in enumerate(parts)
    )


def _is_number(token):
    return re.fullmatch(r"-?\d+", token)


def number(chance, text, others):
    def other(token):
        if chance.random() < 0.7:
            return str(chance.choice(_EXTREMES))
        return str(int(token) + chance.choice([-1, 1, 2, 16, -16]))

    return _replace_one(chance, text, _is_number, other)


def extent(chance, text, others):
    """Of a tensor, everywhere where it is the same."""
    extents = sorted(set(re.findall(r"(?<=[<x])\d+(?=x)", text)))
    if not extents:
        return None
    old = chance.choice(extents)
    new = chance.choice(
        [0, 1, 1, 2, 3, 5, 17, 96, 1000, 4096, 1 << 29, 1 << 31, 1 << 40, "?"]
    )
    return re.sub(rf"\b(?<!\.){old}(?=x)|(?<=x){old}(?=x)", str(new), text)


def element(chance, text, others):
    names = [
        name
        for name in _ELEMENTS[:10]
        if re.search(rf"(?<![a-z]){name}\b", text)
    ]
    if not names:
        return None
    old, new = chance.choice(names), chance.choice(_ELEMENTS)
    if chance.random() < 0.6:
        return re.sub(rf"(?<![a-z]){old}\b", new, text)
    places = list(re.finditer(rf"(?<![a-z]){old}\b", text))
    place = chance.choice(places)
    return text[: place.start()] + new + text[place.end() :]


def rank(chance, text, others):
    """A dimension more or less."""
    places = list(re.finditer(r"(?<=[<x])\d+x", text))
    if not places:
        return None
    place = chance.choice(places)
    new = chance.choice(["", place[0] * 2, "1x" + place[0], "?x"])
    return text[: place.start()] + new + text[place.end() :]


def operator(chance, text, others):
    return _replace_one(
        chance,
        text,
        lambda token: token in _OPERATORS,
        lambda _: chance.choice(_OPERATORS),
    )


def affine(chance, text, others):
    """A dimension in a map becomes an expression."""
    places = [
        place
        for map_ in re.finditer(
            r"affine_(?:map|set)<\([^)]*\)(?:\[[^\]]*\])?\s*(?:->|:)\s*\([^<>]*\)>",
            text,
        )
        for place in re.finditer(r"\bd\d\b", map_[0][map_[0].find(")") :])
        for place in [
            (map_.start() + map_[0].find(")") + place.start(), place[0])
        ]
    ]
    if not places:
        return None
    start, old = chance.choice(places)
    by = chance.choice(
        [0, 1, -1, 2, 3, 5, 1 << 31, 1 << 62, (1 << 63) - 1, -(1 << 63)]
    )
    new = f"({old} {chance.choice(_OPERATORS)} {by})"
    return text[:start] + new + text[start + len(old) :]


def float_(chance, text, others):
    return _replace_one(
        chance,
        text,
        lambda token: re.fullmatch(r"-?\d+\.\d+(e.*)?", token),
        lambda _: chance.choice(
            [
                "0.0",
                "-0.0",
                "1.0e+38",
                "1.0e-45",
                "0x7F800000",
                "0x7FC00000",
                "65504.0",
            ]
        ),
    )


def name(chance, text, others):
    """Of a function."""

    def other(_):
        return f'@"{chance.choice(_NAMES)}"'

    return _replace_one(
        chance, text, lambda token: token.startswith("@"), other
    )


def value(chance, text, others):
    """Of another operand."""
    names = [part for part in tokens(text) if part.startswith("%")]
    if not names:
        return None
    return _replace_one(
        chance,
        text,
        lambda token: token.startswith("%"),
        lambda _: chance.choice(names),
    )


def drop(chance, text, others):
    """Some tokens."""
    parts = tokens(text)
    start = chance.randrange(len(parts))
    del parts[start : start + chance.choice([1, 1, 2, 4])]
    return "".join(parts)


def swap(chance, text, others):
    """Two tokens of a kind."""
    parts = tokens(text)
    kind = chance.choice(
        [
            str.isdigit,
            str.isidentifier,
            lambda part: part.startswith("%"),
            lambda part: part.startswith("#"),
        ]
    )
    places = [i for i, part in enumerate(parts) if kind(part)]
    if len(places) < 2:
        return None
    a, b = chance.sample(places, 2)
    parts[a], parts[b] = parts[b], parts[a]
    return "".join(parts)


def entry(chance, text, others):
    """Of a list: left out, or there twice."""
    entries = list(re.finditer(r"(?<=[(\[{<,])\s*[^(){}\[\]<>,\n]+,", text))
    if not entries:
        return None
    place = chance.choice(entries)
    new = "" if chance.random() < 0.5 else place[0] * 2
    return text[: place.start()] + new + text[place.end() :]


def statements(text):
    """Ops of functions, each with its regions."""
    found, depth = [], 0
    for line in text.splitlines(keepends=True):
        begins = re.match(r"\s*(%[\w, :#%]+ = |\"?[a-z_]+\.)", line)
        if found and (depth > 0 or not begins):
            found[-1] += line
        else:
            found.append(line)
            depth = 0
        depth += sum(map(line.count, "({[")) - sum(map(line.count, ")}]"))
        if re.match(
            r"\s*(builtin\.)?module|\s*func\.func|\s*tsync\.chain", line
        ):
            depth = 0
    return found


def statement(chance, text, others):
    """Left out, there twice, elsewhere, or one of another module."""
    parts = statements(text)
    i, j = chance.randrange(len(parts)), chance.randrange(len(parts))
    match chance.randrange(4):
        case 0:
            del parts[i]
        case 1:
            parts.insert(i, parts[i])
        case 2:
            parts[i], parts[j] = parts[j], parts[i]
        case _:
            parts.insert(i, chance.choice(statements(chance.choice(others))))
    return "".join(parts)


def append(chance, text, others):
    """Another module."""
    return text + chance.choice(others)


# How often each is tried.
_MUTATIONS = {
    number: 6,
    extent: 6,
    element: 3,
    rank: 1,
    operator: 2,
    affine: 4,
    float_: 1,
    name: 1,
    value: 2,
    drop: 0.5,
    swap: 1,
    entry: 1,
    statement: 3,
    append: 0.3,
}
