# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Reads the declarations of a synopsis, pseudo-syntax of the specification included."""

import dataclasses
import re

TOKEN = re.compile(
    r"""(?P<comment>//[^\n]*|/\*.*?\*/)
      |(?P<space>\s+)
      |(?P<name>[A-Za-z_]\w*)
      |(?P<number>\d[\w.']*)
      |(?P<string>"(?:\\.|[^"\\])*")
      |(?P<mark>::|->|\.\.\.|<<=|>>=|<=|>=|==|!=|&&|\|\||\+\+|--|\+=|-=|\*=|/=|%=|&=|\|=|\^=|<<|.)""",
    re.X | re.S)

# Types that the specification leaves to the implementation.
OPEN = "__unspecified__"
IS_OPEN = re.compile(r"^/\*[-\s]*(un)?(see|specified|implementation|return|element|number|type|\.\.\.)"
                     r".*\*/$", re.S | re.I)

BUILT_IN = set("void bool char short int long float double unsigned signed auto const volatile "
               "half".split())


@dataclasses.dataclass
class Parameter:
    """A parameter of a function or of a template."""
    type: str
    name: str = ""
    default: str = ""
    is_pack: bool = False


@dataclasses.dataclass
class Declaration:
    kind: str  # function, constructor, conversion, alias, variable, enum, class, guide, destructor
    name: str
    namespace: str = "sycl"
    owner: "Declaration | None" = None
    templates: list = dataclasses.field(default_factory=list)
    type: str = ""
    parameters: list = dataclasses.field(default_factory=list)
    words: set = dataclasses.field(default_factory=set)
    after: set = dataclasses.field(default_factory=set)
    members: list = dataclasses.field(default_factory=list)
    bases: str = ""
    special: str = ""  # the arguments of a specialization, <...>
    has_body: bool = False
    comment: str = ""
    source: str = ""
    text: str = ""

    @property
    def is_deprecated(self):
        return "deprecated" in self.comment.lower()


def tokenize(text):
    """Tokens of text as (string, comment before, comment behind on the same line)."""
    result, pending = [], []
    fresh_line = True
    for match in TOKEN.finditer(text):
        kind, value = match.lastgroup, match.group()
        if kind == "space":
            if "\n" in value:
                fresh_line = True
            if value.count("\n") > 1:
                pending = []
            continue
        if kind == "comment":
            if IS_OPEN.match(value) and not fresh_line or re.match(r"/\*return-type\*/", value):
                result.append([OPEN, "", ""])
            elif fresh_line or not result:
                pending.append(value)
            else:
                result[-1][2] += value
            continue
        result.append([value, "\n".join(pending), ""])
        pending = []
        fresh_line = False
    return result


def join(tokens):
    """Text of tokens, with the spaces that C++ needs."""
    text = ""
    for token in tokens:
        if text and re.match(r"[\w\"]", token) and re.search(r"[\w\"]$", text):
            text += " "
        elif token == "::" and re.search(r"\b(const|typename|constexpr)$", text):
            text += " "
        text += token
        if token in ("...", ",", "operator"):
            text += " "
    return text.strip()


def split(tokens, mark=","):
    """Tokens split at marks that are outside all brackets."""
    parts, depth, current = [], 0, []
    for token in tokens:
        if token in ("(", "[", "{", "<"):
            depth += 1
        elif token in (")", "]", "}", ">"):
            depth -= 1
        if token == mark and depth == 0:
            parts.append(current)
            current = []
        else:
            current.append(token)
    if current or parts:
        parts.append(current)
    return parts


def close(tokens, start):
    """Index of the bracket that closes the one at start."""
    pairs = {"(": ")", "[": "]", "{": "}", "<": ">"}
    opening, closing = tokens[start], pairs[tokens[start]]
    depth, round_depth = 0, 0
    for index in range(start, len(tokens)):
        token = tokens[index]
        if opening == "<" and token in "()" and token:
            round_depth += 1 if token == "(" else -1
        if opening == "<" and round_depth > 0:
            continue
        if token == opening:
            depth += 1
        elif token == closing:
            depth -= 1
            if depth == 0:
                return index
        elif token == ">>" and opening == "<":
            depth -= 2
            if depth <= 0:
                return index
    raise ValueError("no closing bracket")


def read_parameter(tokens):
    parts = split(tokens, "=")
    default = join([t for part in parts[1:] for t in part]) if len(parts) > 1 else ""
    tokens = parts[0]
    is_pack = "..." in tokens
    tokens = [t for t in tokens if t != "..."]
    name = ""
    if len(tokens) > 1 and re.match(r"[A-Za-z_]", tokens[-1]) and tokens[-1] not in BUILT_IN:
        before = [t for t in tokens[:-1] if t not in ("const", "typename", "volatile")]
        is_type = len(tokens) == 2 and tokens[0] in ("typename", "class")
        if is_type or (before and tokens[-2] != "::"):
            name, tokens = tokens[-1], tokens[:-1]
    return Parameter(join(tokens), name, default, is_pack)


def read_parameters(tokens):
    if not tokens or tokens == ["void"]:
        return []
    return [read_parameter(part) for part in split(tokens) if part]


class Reader:
    """A recursive descent over the scopes of one synopsis."""

    def __init__(self, text, source):
        text = re.sub(r"^\s*#.*(\\\n.*)*$", "", text, flags=re.M)
        text = re.sub(r"\b__\w+__\b", OPEN, text)
        # A template argument list that ends in >> is two brackets here; operators come back later.
        text = re.sub(r"(?<=[\w>*&\])])>>(?=[\s>,;({&*:])", "> >", text)
        raw = tokenize(text)
        self.tokens = [t[0] for t in raw]
        self.before = [t[1] for t in raw]
        self.behind = [t[2] for t in raw]
        self.source = source
        self.problems = []

    def read(self):
        result = []
        self.scope(0, len(self.tokens), "sycl", None, result, False)
        return result

    def scope(self, at, end, namespace, owner, result, nested):
        comment, group, templates = "", "", []
        hidden = owner is not None and "class" in owner.words
        while at < end:
            token = self.tokens[at]
            if not templates:
                comment = self.before[at]
                if re.search(r"\bOP is|_(ACCESS|SWIZZLE) is", comment):
                    group = comment
                elif group:
                    comment = group + "\n" + comment
            if token in (";", "...", "}"):
                at += 1
            elif token == "namespace":
                opening = self.tokens.index("{", at)
                name = join([t for t in self.tokens[at + 1:opening] if t != OPEN])
                closing = close(self.tokens, opening)
                inner = name if not nested else f"{namespace}::{name}"
                self.scope(opening + 1, closing, inner, None, result, True)
                at = closing + 1
            elif token == "template":
                closing = close(self.tokens, at + 1)
                templates.append(read_parameters(self.tokens[at + 2:closing]))
                at = closing + 1
                continue
            elif token in ("public", "private", "protected") and self.tokens[at + 1] == ":":
                hidden = token != "public"
                at += 2
            else:
                stop, body = self.extent(at, end)
                before = len(result)
                if not hidden:
                    self.entity(at, stop, body, namespace, owner, templates, comment, result)
                trailing = self.behind[min(stop, end - 1)]
                for made in result[before:]:
                    made.comment += trailing
                at = stop + 1
            templates = []

    def extent(self, at, end):
        """The last token of the entity at this index, and where its body opens."""
        depth, index, body = 0, at, None
        while index < end:
            token = self.tokens[index]
            if token in "([":
                depth += 1
            elif token in ")]":
                depth -= 1
            elif token == "{" and depth == 0:
                body = index
                index = close(self.tokens, index)
                follows = self.tokens[index + 1] if index + 1 < end else ""
                if follows not in (";", ">", ",", ")", ":"):
                    return index, body
            elif token == ";" and depth == 0:
                return index, body
            index += 1
        return end - 1, body

    def entity(self, at, stop, body, namespace, owner, templates, comment, result):
        tokens = self.tokens[at:stop + 1]
        head = self.tokens[at:body] if body else [t for t in tokens if t != ";"]
        flat = [p for group in templates for p in group]
        common = {"namespace": namespace, "owner": owner, "templates": flat, "comment": comment,
                  "source": self.source}
        try:
            if head[0] in ("class", "struct", "enum"):
                self.type(at, stop, body, head, common, result)
            elif head[0] == "using":
                name = head[1]
                if "=" in head:
                    made = Declaration("alias", name, type=join(head[head.index("=") + 1:]),
                                       **common)
                    made.text = join(head)
                    result.append(made)
            elif head[0] != "static_assert":
                self.function(tokens, head, body, common, result)
        except (ValueError, IndexError) as error:
            self.problems.append(f"{self.source}: cannot read '{join(tokens)[:90]}': {error}")

    def type(self, at, stop, body, head, common, result):
        while "[" in head:  # attributes
            del head[head.index("["):close(head, head.index("[")) + 1]
        is_enum = head[0] == "enum"
        words = {head[0]} | ({"class"} if is_enum and head[1] == "class" else set())
        rest = [t for t in head if t not in ("class", "struct", "enum")]
        bases = ""
        if ":" in rest:
            bases = join(rest[rest.index(":") + 1:])
            rest = rest[:rest.index(":")]
        name = rest[0]
        if name == OPEN or (len(rest) > 1 and common["templates"] == []):
            return
        made = Declaration("enum" if is_enum else "class", name, words=words, bases=bases,
                           has_body=body is not None, special=join(rest[1:]), **common)
        made.text = join(head)
        if body:
            closing = close(self.tokens, body)
            if is_enum:
                for part in split(self.tokens[body + 1:closing]):
                    if part:
                        member = Declaration("enumerator", part[0], type=join(part[2:]),
                                             **{**common, "owner": made, "templates": []})
                        index = self.index_of(body, closing, part[0])
                        member.comment = self.behind[index] or self.behind[index + 1]
                        member.text = f"{name}::{part[0]}"
                        made.members.append(member)
            else:
                self.scope(body + 1, closing, common["namespace"], made, made.members, True)
        result.append(made)

    def index_of(self, start, end, name):
        return next(i for i in range(start, end) if self.tokens[i] == name)

    def function(self, tokens, head, body, common, result):
        words = set()
        while head and head[0] in ("friend", "static", "inline", "explicit", "constexpr",
                                   "virtual", "extern"):
            words.add(head.pop(0))
        owner = common["owner"]
        if "operator" not in head and (
                "(" not in head or "=" in head[:head.index("(")]):
            self.variable(head, words, common, result)
            return
        opening, name = self.name_and_opening(head)
        closing = close(head, opening)
        parameters = read_parameters(head[opening + 1:closing])
        after = head[closing + 1:]
        kind, returned = "function", head[:opening - len(name)]
        if "->" in after:
            arrow = after.index("->")
            if not returned:
                kind = "guide"
            returned, after = after[arrow + 1:], after[:arrow]
        if name[0] == "~":
            kind = "destructor"
        elif kind == "function" and not returned:
            kind = "conversion" if name[0] == "operator" else "constructor"
            if kind == "conversion":
                returned = name[1:]
        while returned and returned[0] in ("static", "inline", "constexpr", "inline"):
            words.add(returned.pop(0))
        after = {t for t in after if t in ("const", "noexcept", "delete", "default", "&", "&&")}
        for spelled in self.spellings(join(name), parameters, owner, words, common["comment"]):
            made = Declaration(kind, spelled.replace("operator ", "operator"), type=join(returned),
                               parameters=parameters, words=words, after=after, **common)
            made.text = re.sub(r"operator\s*OP", made.name, join(head))
            result.append(made)

    def name_and_opening(self, head):
        if "operator" in head:
            start = head.index("operator")
            opening = head.index("(", start + 1)
            if head[opening + 1] == ")" and opening == start + 1:
                opening += 2
            return opening, head[start:opening]
        depth = 0
        for index, token in enumerate(head):
            if token == "<":
                depth += 1
            elif token == ">":
                depth -= 1
            elif token == "(" and depth == 0 and head[index - 1] != "decltype":
                name = head[index - 1:index]
                if index > 1 and head[index - 2] == "~":
                    name = head[index - 2:index]
                return index, name
        raise ValueError("no name")

    def spellings(self, name, parameters, owner, words, comment):
        """The names that a name with a placeholder stands for."""
        if "OP" in name and name.replace(" ", "").startswith("operator"):
            found = re.search(r"OP is:?\s*(unary|prefix|postfix)?\s*([^\n]*)", comment)
            marks = [m.strip() for m in found.group(2).split(",")] if found else []
            return ["operator" + m for m in marks if m]
        access = re.search(name + r" is:\s*([^.]*?)(?:, subject|\.)", comment) \
            if name.endswith("_ACCESS") else None
        if access:
            return [n for n in re.findall(r"\w+", access.group(1))]
        if name.endswith("_SWIZZLE"):
            return ["xyzw"[:2], "yx"] if name.startswith("XYZW") else ["abgr", "rrgg"]
        return [name]

    @staticmethod
    def variable(head, words, common, result):
        equals = head.index("=") if "=" in head else len(head)
        head, value = head[:equals], head[equals + 1:]
        if "{" in head:
            head = head[:head.index("{")]
        if len(head) < 2:
            raise ValueError("not a declaration")
        made = Declaration("variable", head[-1], type=join(head[:-1]), words=words, **common)
        made.text = join(head) + (" = " + join(value) if value else "")
        made.bases = join(value)
        result.append(made)
