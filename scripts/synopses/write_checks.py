# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Writes C++ that is only valid if a declaration of a synopsis holds, a line for each aspect.

exact     the name has the declared type (a pointer to it can be formed), or the type is the declared one
call      a call or a use with the declared argument types has the declared result
noexcept  such a call is noexcept
arguments a call with explicit template arguments in the declared order has the declared result
converts  an argument that converts to the type of a parameter is taken (parameters are not deduced)
explicit  a constructor is explicit exactly if it is declared so
"""

import re

from examples import BY_CLASS, BY_FUNCTION, BY_NAME, CLASS_NAMES, SPECIAL_NAMES
from read_synopsis import OPEN, join, split, tokenize

GENERIC = re.compile(r"^(NonScalar|Gen\w*|Geo\w*|U?Int\d+Bit|Float\w*)\d?$")
SHAPES = {"scalar": "{}", "vec": "sycl::vec<{}, 4>", "marray": "sycl::marray<{}, 4>",
          "swizzle": "decltype(std::declval<sycl::vec<{}, 4> &>().template swizzle<3, 2, 1, 0>())"}


def words_of(text):
    return [t[0] for t in tokenize(text)]


def substitute(text, name, replacement):
    """text with the name of a class template, where no arguments follow it, replaced."""
    words = words_of(text)
    result = []
    for index, word in enumerate(words):
        after = words[index + 1] if index + 1 < len(words) else ""
        before = words[index - 1] if index else ""
        same = word == name and after != "<" and before != "::" and after != "::"
        result.append(replacement if same else word)
    return join(result)


SPACES = [f"sycl::access::address_space::{name}_space"
          for name in ("global", "local", "private", "generic", "constant")]


class Check:
    """One line of the source: what it stands for."""

    def __init__(self, declaration, aspect, group, code):
        self.declaration, self.aspect, self.group, self.code = declaration, aspect, group, code


class Writer:

    def __init__(self):
        self.lines = []  # (text, Check or None)
        self.count = 0
        self.unchecked = []

    def put(self, text, check=None):
        self.lines.append((text.replace("\n", " "), check))

    def check(self, declaration, aspect, code, group="", setting=""):
        """A line; lines of an aspect and a group are alternatives, of which one has to hold."""
        code = f"{setting} {code}" if setting else code
        self.count += 1
        self.put(f"namespace d{self.count} {{ {code} }}",
                 Check(declaration, aspect, group, code))

    # Settings of template parameters.

    def binding(self, declaration, chosen):
        """C++ that gives the template parameters of a function values; None if one is unknown."""
        text, names = "", []
        for parameter in declaration.templates:
            if not parameter.name:
                continue
            value = chosen.get(parameter.name)
            if value is None:
                value = parameter.default or BY_NAME.get(parameter.name)
            if value is None or (isinstance(value, list) and not parameter.is_pack):
                value = value[0] if value else None
            if value is None:
                return None, parameter.name
            if parameter.is_pack:
                values = value if isinstance(value, list) else [value]
                for index, one in enumerate(values):
                    text += self.one(parameter, f"{parameter.name}_{index}", one)
                names.append((parameter.name, [f"{parameter.name}_{i}" for i in range(len(values))]))
            else:
                text += self.one(parameter, parameter.name, value)
                names.append((parameter.name, [parameter.name]))
        return text, names

    @staticmethod
    def one(parameter, name, value):
        if re.match(r"(typename|class)\b", parameter.type):
            if value.isdigit():
                return f"inline constexpr std::size_t {name} = {value}; "
            return f"using {name} = {value}; "
        if "auto&" in parameter.type:
            return f"inline constexpr auto &{name} = {value}; "
        return f"inline constexpr {parameter.type} {name} = {value}; "

    # Text of types.

    @staticmethod
    def spell(declaration, text):
        owner = declaration.owner
        if owner is not None and owner.templates:
            text = substitute(text, owner.name, "Self_")
        if "::info" in declaration.namespace:
            # Inside of info, these are namespaces or descriptors.
            for name in ("platform", "device", "context", "queue", "event", "kernel"):
                text = substitute(text, name, f"::sycl::{name}")
        return text

    def parameter_types(self, declaration, names):
        """The declared parameter types, packs expanded; None if one is left open."""
        types = []
        packs = {name: values for name, values in (names or [])}
        for parameter in declaration.parameters:
            text = self.spell(declaration, parameter.type)
            if OPEN in text:
                return None
            if parameter.is_pack:
                pack = next((w for w in words_of(text) if w in packs), None)
                if pack is None:
                    return None
                types += [substitute(text, pack, one) for one in packs[pack]]
            else:
                types.append(text)
        return types

    # Declarations.

    def scope(self, namespace):
        self.count += 1
        path = namespace if namespace.startswith("sycl") or namespace == "std" \
            else f"sycl::{namespace}"
        self.put(f"namespace {path} {{ namespace check_{self.count} {{")
        return path

    def end(self):
        self.put("} }")

    def write(self, declaration):
        if declaration.namespace == "std":
            self.unchecked.append((declaration, "specialization in namespace std"))
            return
        write = getattr(self, "write_" + declaration.kind, None)
        if write is None:
            self.unchecked.append((declaration, "no function, type or variable"))
        else:
            write(declaration)

    def example_name(self, d):
        """Opens d's scope: (its full name with example arguments, their setting), or (None, None)."""
        path = self.scope(d.namespace)
        text, names = self.binding(d, {})
        if text is None:
            self.unchecked.append((d, f"no example for {names}"))
            return None, None
        arguments = ", ".join(v for _, values in names for v in values)
        full = f"::{path}::{d.name}"
        return full + (f"<{arguments}>" if d.templates else ""), text

    def write_alias(self, d):
        full, text = self.example_name(d)
        if full:
            self.check(d, "exact", f"using used = {full};" if OPEN in d.type else
                       f"static_assert(std::is_same_v<{full}, {d.type}>);", setting=text)
        self.end()

    def write_variable(self, d):
        full, text = self.example_name(d)
        if full:
            self.variable(d, full, text)
        self.end()

    def variable(self, d, full, setting):
        if OPEN in d.type or d.type == "auto":
            self.check(d, "exact", f"using used = decltype({full});", setting=setting)
        else:
            constant = "const " if "constexpr" in d.words and "const" not in d.type.split() else ""
            kind = self.spell(d, d.type)
            self.check(d, "exact",
                       f"static_assert(std::is_same_v<decltype({full}), {constant}{kind}>);",
                       setting=setting)
        if "constexpr" in d.words:
            self.check(d, "constant", f"constexpr auto used = {full};", setting=setting)
            value = d.bases
            if value and OPEN not in value and re.fullmatch(r"[\w:]+", value):
                self.check(d, "value", f"static_assert({full} == {self.spell(d, value)});",
                           setting=setting)

    def write_enum(self, d):
        path = self.scope(d.namespace)
        full = f"::{path}::{d.name}"
        kind = "!std::is_convertible_v" if "class" in d.words else "std::is_convertible_v"
        self.check(d, "exact", f"static_assert(std::is_enum_v<{full}> && {kind}<{full}, int>);")
        for member in d.members:
            code = f"static_assert({full}::{member.name} == {full}::{member.name});"
            if re.fullmatch(r"\d+", member.type):
                code += f" static_assert(static_cast<long long>({full}::{member.name}) == {member.type});"
            elif re.fullmatch(r"\w+", member.type):
                code += f" static_assert({full}::{member.name} == {full}::{member.type});"
            self.check(member, "exact", code)
        self.end()

    def write_guide(self, d):
        variants = BY_FUNCTION.get(("guide", d.name), [{}])
        path = self.scope(d.namespace)
        for chosen in variants:
            text, names = self.binding(d, chosen)
            types = self.parameter_types(d, names) if text is not None else None
            if types is None:
                self.unchecked.append((d, f"no example for {names}"))
                continue
            result = d.type
            for name, values in names:
                result = re.sub(rf"sizeof\.\.\.\s*\({name}\)", str(len(values)), result)
            for count in self.counts(d, types):
                values = ", ".join(f"std::declval<{t}>()" for t in types[:count])
                self.check(d, "call", f"static_assert(std::is_same_v<decltype(::{path}::{d.name}"
                           f"({values})), {result}>);", setting=text)
        self.end()

    def write_function(self, d):
        path = self.scope(d.namespace)
        self.function(d, path, None)
        self.end()

    def write_class(self, d):
        path = d.namespace
        lists = BY_CLASS.get((d.source, d.name)) or BY_CLASS.get(d.name)
        if not d.templates:
            lists = [""]
        elif d.special:
            lists = [", ".join(BY_NAME[p.name] if p.name != "Space" else space for p in d.templates)
                     for space in SPACES]
        elif lists is None:
            values = [p.default and "" or BY_NAME.get(p.name) for p in d.templates]
            if any(v is None for v in values):
                self.unchecked.append((d, "no example for its template parameters"))
                return
            lists = [", ".join(v for v in values if v)]
        for arguments in lists:
            self.of_class(d, path, arguments)

    def of_class(self, d, namespace, arguments):
        path = self.scope(namespace)
        given = [join(part) for part in split(words_of(arguments))] if arguments else []
        for position, parameter in enumerate(d.templates):
            if position < len(given):
                value = given[position]
            else:
                value = parameter.default
            if not value or not parameter.name:
                continue
            self.put(self.one(parameter, parameter.name, value))
        self.put(next((text for word, text in SPECIAL_NAMES.items() if word in words_of(d.special)),
                      CLASS_NAMES.get(d.name, "")))
        full = f"::{path}::{d.name}" + (d.special or (f"<{arguments}>" if d.templates else ""))
        self.put(f"using Self_ = {full};")
        self.check(d, "exact", f"using used = {full};")
        defaults = [p.default for p in d.templates]
        if d.has_body and any(defaults) and not d.special:
            names = [p.name for p in d.templates]
            short = ", ".join(n for n, default in zip(names, defaults) if not default)
            if OPEN not in "".join(defaults):
                full = ", ".join(default or n for n, default in zip(names, defaults))
                self.check(d, "defaults", f"static_assert(std::is_same_v<::{path}::{d.name}<{short}>, "
                           f"::{path}::{d.name}<{full}>>);")
        if d.has_body and not d.name.startswith("is_"):
            self.check(d, "complete", "static_assert(sizeof(Self_) > 0);")
        for member in d.members:
            if member.kind == "alias":
                self.member_alias(member)
        for member in d.members:
            if member.kind == "variable":
                if "static" in member.words:
                    self.put(f"inline constexpr auto {member.name} = Self_::{member.name};"
                             if member.name not in ("value",) else "")
                    self.variable(member, f"Self_::{member.name}", "")
                else:
                    self.check(member, "exact", "static_assert(std::is_same_v<decltype(Self_::"
                               f"{member.name}), {member.type}>);")
        for member in d.members:
            if member.kind in ("function", "constructor", "conversion", "destructor"):
                getattr(self, "member_" + member.kind)(member)
            elif member.kind == "class":
                inner = "<int>" if member.templates else ""
                self.check(member, "exact", f"using used = typename Self_::template {member.name}"
                           f"{inner};" if inner else f"using used = Self_::{member.name};")
        self.end()

    def member_alias(self, d):
        if d.templates:
            names = [p.name for p in d.templates]
            head = ", ".join(f"{p.type} {p.name}" for p in d.templates)
            text = (f"template <{head}> using {d.name} = "
                    f"typename Self_::template {d.name}<{', '.join(names)}>;")
            self.put(text, Check(d, "exact", "", text))
            return
        text = f"using {d.name} = typename Self_::{d.name};"
        self.put(text, Check(d, "exact", "", text))
        if OPEN not in d.type:
            self.check(d, "same", f"static_assert(std::is_same_v<{d.name}, {self.spell(d, d.type)}>);")

    def member_destructor(self, d):
        self.check(d, "call", "static_assert(std::is_destructible_v<Self_>);")

    def member_constructor(self, d):
        self.each(d, self.constructor)

    def member_conversion(self, d):
        self.each(d, self.conversion)

    def member_function(self, d):
        self.function(d, None, d.owner)

    # Functions.

    def variants(self, d):
        owner = d.owner.name if d.owner else ""
        chosen = BY_FUNCTION.get((owner, d.name)) or [{}]
        generic = [p.name for p in d.templates if GENERIC.match(p.name)]
        if not generic:
            return [(v.get("group", ""), v) for v in chosen]
        result = []
        scalars = not any(n.startswith("NonScalar") for n in generic)
        for shape, form in SHAPES.items():
            if shape == "scalar" and (not scalars or d.name == "cross"):
                continue
            if shape in ("vec", "swizzle") and d.name in ("any", "all") and d.type == "bool":
                continue
            if shape == "marray" and re.search(r"cross|Geo", d.name + " ".join(generic)):
                form = "sycl::marray<{}, 3>"
            for first in ("float", "int", "unsigned", "unsigned char", "double", "std::uint64_t"):
                for second in dict.fromkeys((first, "int", "unsigned", "bool", "unsigned char")):
                    value = {n: form.format(second if i > 0 and i == len(generic) - 1 else first)
                             for i, n in enumerate(generic)}
                    for pointed in ("float", "int"):
                        if any(p.name == "Ptr" for p in d.templates):
                            target = form.format(pointed) if shape != "swizzle" else \
                                f"sycl::vec<{pointed}, 4>"
                            value = {**value, "Ptr": f"{target} *"}
                        result.append((shape, value))
                        if "Ptr" not in value:
                            break
        return result

    def each(self, d, emit):
        if "delete" in d.after:
            emit = self.deleted
        for group, chosen in self.variants(d):
            text, names = self.binding(d, chosen)
            if text is None:
                self.unchecked.append((d, f"no example for {names}"))
                return
            types = self.parameter_types(d, names)
            if types is None:
                self.unchecked.append((d, "a parameter's type is left open"))
                return
            emit(d, types, names, text, group)

    def deleted(self, d, types, names, text, group):
        if d.kind == "constructor":
            code = f"static_assert(!std::is_constructible_v<{', '.join(['Self_'] + types)}>);"
        elif d.name == "operator=":
            code = f"static_assert(!std::is_assignable_v<Self_ &, {types[0]}>);"
        else:
            return
        self.check(d, "deleted", code, group, text)

    def counts(self, d, types):
        defaults = sum(1 for p in d.parameters if p.default)
        return range(len(types) - defaults, len(types) + 1)

    def constructor(self, d, types, names, text, group):
        for count in self.counts(d, types):
            listed = ", ".join(["Self_"] + types[:count])
            which = f"{group}{count}"
            self.check(d, "call", f"static_assert(std::is_constructible_v<{listed}>);", which, text)
            mark = "!" if "explicit" in d.words else ""
            self.check(d, "explicit", f"static_assert({mark}synopsis::list_initializable<{listed}>);",
                       which, text)
            if "noexcept" in d.after:
                self.check(d, "noexcept", f"static_assert(std::is_nothrow_constructible_v<{listed}>);",
                           which, text)
        if not d.templates:
            self.converting(d, types, group, text, lambda values:
                            f"static_assert(std::is_constructible_v<{', '.join(['Self_'] + values)}>);")

    def converting(self, d, types, group, text, form):
        siblings = [m for m in (d.owner.members if d.owner else []) if m.name == d.name
                    and len(m.parameters) == len(d.parameters)]
        if len(siblings) > 1 or d.name.startswith("operator"):
            return
        for index, one in enumerate(types):
            if one.endswith("&") and not one.startswith("const ") or one.endswith("&&"):
                continue
            plain = re.sub(r"^const (.*)&$", r"\1", one)
            values = list(types)
            values[index] = f"synopsis::converts<{plain}>"
            self.check(d, "converts", form(values), f"{group}/{index}", text)

    def conversion(self, d, types, names, text, group):
        kind = self.spell(d, d.type)
        const = "const " if "const" in d.after else ""
        trait = "is_constructible_v" if "explicit" in d.words else "is_convertible_v"
        order = f"{kind}, {const}Self_ &" if "explicit" in d.words else f"{const}Self_ &, {kind}"
        self.check(d, "call", f"static_assert(std::{trait}<{order}>);", group, text)
        if "explicit" in d.words:
            self.check(d, "explicit", f"static_assert(!std::is_convertible_v<{const}Self_ &, {kind}>);",
                       group, text)

    def function(self, d, path, owner):
        self.path = path
        self.each(d, self.one_function)

    def one_function(self, d, types, names, text, group):
        result = self.spell(d, d.type)
        is_open = OPEN in result or result == "auto"
        arguments = ", ".join(v for _, values in names for v in values)
        targs = f"<{arguments}>" if arguments else ""
        generic = any(GENERIC.match(p.name) for p in d.templates)
        if "friend" not in d.words and not is_open and not generic and not (
                targs and d.name.startswith("operator")):
            self.exact(d, types, result, targs, text, group)
        calls = []
        for count in self.counts(d, types):
            values = [f"std::declval<{t}>()" for t in types[:count]]
            calls += self.uses(d, values, targs)
        pairs = len(calls) == 2 * len(self.counts(d, types))
        for number, call in enumerate(calls):
            code = f"using used = decltype({call});" if is_open else \
                f"static_assert(std::is_same_v<decltype({call}), {result}>);"
            explicit = pairs and number % 2 == 0
            self.check(d, "arguments" if explicit else "call", code, f"{group}{number or ''}", text)
        if "noexcept" in d.after and calls:
            self.check(d, "noexcept", f"static_assert(noexcept({calls[-1]}));", group, text)
        if not d.templates and not generic:
            self.converting(d, types, group, text, lambda given: "using used = decltype(" + self.uses(
                d, [f"std::declval<{t}>()" for t in given], targs)[0] + ");")

    def exact(self, d, types, result, targs, text, group):
        after = " ".join(w for w in ("const", "&", "&&", "noexcept") if w in d.after)
        listed = ", ".join(types)
        if d.owner is not None:
            inner = "template " if targs else ""
            if "static" in d.words:
                pointer, name = f"{result} (*)({listed}) {after}", f"Self_::{inner}{d.name}{targs}"
            else:
                pointer, name = f"{result} (Self_::*)({listed}) {after}", f"Self_::{inner}{d.name}{targs}"
        else:
            if d.name.startswith("operator"):
                return
            pointer, name = f"{result} (*)({listed}) {after}", f"::{self.path}::{d.name}{targs}"
        self.check(d, "exact", f"using used = decltype(static_cast<{pointer}>(&{name}));", group, text)

    def uses(self, d, values, targs):
        """Expressions that use a function with these argument expressions."""
        operator = d.name[len("operator"):] if d.name.startswith("operator") else ""
        if d.owner is None or "friend" in d.words:
            if operator:
                return [self.operation(operator, values)]
            full = d.name if "friend" in d.words else f"::{self.path}::{d.name}"
            return self.with_and_without(d, full, targs, values)
        constant = "const " if "const" in d.after else ""
        this = f"std::declval<{constant}Self_ &>()."
        if "static" in d.words:
            this = "Self_::"
        if operator and not targs:
            return [f"{this}{d.name}({', '.join(values)})"]
        return self.with_and_without(d, f"{this}{'template ' if targs and not operator else ''}{d.name}",
                                     "" if operator else targs, values)

    def with_and_without(self, d, full, targs, values):
        """A call with all template arguments, if it has any, and one with those that it needs."""
        called = ", ".join(values)
        if not targs:
            return [f"{full}({called})"]
        plain = full.replace("template ", "")
        if any(GENERIC.match(p.name) for p in d.templates):
            return [f"{plain}({called})"]
        deduced = set(w for p in d.parameters for w in words_of(p.type)
                      if "," in p.type or not re.search(r"::|decltype", p.type))
        if any("backend_input_t" in p.type for p in d.parameters):
            deduced = set()
        launches = re.match("single_task|parallel_for", d.name)
        needed = [i for i, p in enumerate(d.templates) if not (
            p.name in deduced or p.default or (p.name == "KernelName" and launches))]
        if needed and needed[-1] == len(d.templates) - 1:
            return [f"{full}{targs}({called})"]
        if needed:
            given = ", ".join(p.name for p in d.templates[:needed[-1] + 1])
            return [f"{full}{targs}({called})", f"{full}<{given}>({called})"]
        return [f"{full}{targs}({called})", f"{plain}({called})"]

    @staticmethod
    def operation(operator, values):
        if len(values) == 1:
            return f"{operator}{values[0]}"
        if operator in ("++", "--"):
            return f"{values[0]}{operator}"
        return f"{values[0]} {operator} {values[1]}"
