# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Writes a random program in LLVM's text that computes with integers of odd widths and prints them:
odd_integers.py SEED. The same seed gives the same program."""
import random
import sys

WIDTHS = [3, 7, 9, 13, 24, 31, 33, 40, 48, 63, 65, 70, 96, 127, 128]
FUNCTIONS = 40
STEPS = 14


class Function:
    def __init__(self, rnd, declarations):
        self.rnd = rnd
        self.declarations = declarations
        self.width = rnd.choice(WIDTHS)
        self.lines = []
        self.values = {64: ["%a", "%b"]}
        self.count = 0

    def emit(self, text, width):
        self.count += 1
        name = f"%v{self.count}"
        self.lines.append(f"  {name} = {text}")
        self.values.setdefault(width, []).append(name)
        return name

    def cast(self, value, old, new):
        if old == new:
            return value
        op = "trunc" if old > new else self.rnd.choice(["zext", "sext"])
        return self.emit(f"{op} i{old} {value} to i{new}", new)

    def operand(self):
        width = self.width
        if self.rnd.random() < 0.2:
            return str(self.rnd.randrange(-(1 << (width - 1)), 1 << (width - 1)))
        return self.rnd.choice(self.values[width])

    def one_of(self, words):
        return self.rnd.choice(words.split())

    def arithmetic(self):
        op = self.one_of("add sub mul and or xor")
        self.emit(f"{op} i{self.width} {self.operand()}, {self.operand()}", self.width)

    def shift(self):
        width = self.width
        by = str(self.rnd.randrange(width))
        if self.rnd.random() < 0.5:
            limit = f"urem i{width} {self.operand()}, {min(width, 3)}"
            by = self.emit(limit if width <= 64 else f"and i{width} {self.operand()}, 63", width)
        self.emit(f"{self.one_of('shl lshr ashr')} i{width} {self.operand()}, {by}", width)

    def choice(self):
        width = self.width
        predicate = self.one_of("eq ne ugt uge ult ule sgt sge slt sle")
        condition = self.emit(f"icmp {predicate} i{width} {self.operand()}, {self.operand()}", 1)
        values = f"i{width} {self.operand()}, i{width} {self.operand()}"
        self.emit(f"select i1 {condition}, {values}", width)

    def division(self):
        width = self.width
        if width > 64:
            return
        op = self.one_of("udiv urem sdiv srem")
        by = self.emit(f"or i{width} {self.operand()}, 1", width)
        if op.startswith("s"):  # not -1, which divides the least number into none
            by = self.emit(f"lshr i{width} {by}, 1", width)
            by = self.emit(f"or i{width} {by}, 1", width)
        self.emit(f"{op} i{width} {self.operand()}, {by}", width)

    def conversion(self):
        other = self.rnd.choice(WIDTHS + [8, 16, 32, 64])
        value = self.emit(f"add i{self.width} {self.operand()}, 1", self.width)
        self.cast(self.cast(value, self.width, other), other, self.width)

    def intrinsic(self):
        width = self.width
        small = " ctpop ctlz cttz bitreverse fshl fshr" if width <= 64 else ""
        name = self.one_of("umin umax smin smax abs" + small)
        count = 3 if name.startswith("fsh") else 2 if name[1:] in ("min", "max") else 1
        types, values = [f"i{width}"] * count, [f"i{width} {self.operand()}" for _ in range(count)]
        if name in ("ctlz", "cttz", "abs"):
            types.append("i1")
            values.append("i1 false")
        self.declarations.add(f"declare i{width} @llvm.{name}.i{width}({', '.join(types)})")
        self.emit(f"call i{width} @llvm.{name}.i{width}({', '.join(values)})", width)

    def overflow(self):
        width = self.rnd.choice([8, 16, 32, 64])
        name = f"{self.one_of('s u')}{self.one_of('add sub mul')}.with.overflow.i{width}"
        a, b = (self.cast(self.operand_value(), self.width, width) for _ in range(2))
        kind = f"{{i{width}, i1}}"
        self.declarations.add(f"declare {kind} @llvm.{name}(i{width}, i{width})")
        both = self.emit(f"call {kind} @llvm.{name}(i{width} {a}, i{width} {b})", 0)
        result = self.emit(f"extractvalue {kind} {both}, 0", width)
        wrong = self.emit(f"extractvalue {kind} {both}, 1", 1)
        chosen = self.emit(f"select i1 {wrong}, i{width} {a}, i{width} {result}", width)
        self.cast(chosen, width, self.width)

    def operand_value(self):
        return self.emit(f"add i{self.width} {self.operand()}, 0", self.width)

    def memory(self):
        self.lines.append(f"  store i{self.width} {self.operand()}, ptr @memory, align 4")
        self.emit(f"load i{self.width}, ptr @memory, align 4", self.width)

    def end(self, start):
        """A loop, whose sum is a phi, and what is returned."""
        width = self.width
        last = self.values[width][-1]
        self.lines.append(f"""  br label %loop
loop:
  %i = phi i32 [0, %entry], [%i1, %loop]
  %sum = phi i{width} [{last}, %entry], [%sum1, %loop]
  %times = mul i{width} %sum, 3
  %sum1 = add i{width} %times, {start}
  %i1 = add i32 %i, 1
  %more = icmp ult i32 %i1, 5
  br i1 %more, label %loop, label %done
done:""")
        if width > 64:
            self.lines.append(f"""  %low = trunc i{width} %sum1 to i64
  %shifted = lshr i{width} %sum1, 64
  %high = trunc i{width} %shifted to i64
  %result = xor i64 %low, %high""")
        else:
            self.lines.append(f"  %result = sext i{width} %sum1 to i64")
        if width < 9:
            self.lines.append(f"""  switch i{width} %sum1, label %other [ i{width} 1, label %known
    i{width} -2, label %known ]
known:
  ret i64 77
other:""")
        self.lines.append("  ret i64 %result")

    def text(self, number):
        steps = [self.arithmetic] * 4 + [self.shift, self.shift, self.choice, self.division,
                                         self.conversion, self.intrinsic, self.memory, self.overflow]
        start = self.cast("%a", 64, self.width)
        self.cast("%b", 64, self.width)
        for _ in range(STEPS):
            self.rnd.choice(steps)()
        self.end(start)
        return (f"define i64 @f{number}(i64 %a, i64 %b) noinline {{\nentry:\n" +
                "\n".join(self.lines) + "\n}\n")


def main():
    rnd = random.Random(int(sys.argv[1]))
    declarations = set()
    functions = [Function(rnd, declarations).text(i) for i in range(FUNCTIONS)]
    print('@memory = global [32 x i8] zeroinitializer, align 16')
    print('@format = constant [8 x i8] c"%d %lx\\0A\\00"\ndeclare i32 @printf(ptr, ...)')
    print("\n".join(sorted(declarations) + functions + ["define i32 @main() {"]))
    inputs = [(0, 0), (1, 2), (-1, 5), (rnd.getrandbits(63), -rnd.getrandbits(63)),
              (rnd.getrandbits(64) - (1 << 63), rnd.getrandbits(20))]
    calls = [(i, a, b) for i in range(FUNCTIONS) for a, b in inputs]
    for k, (i, a, b) in enumerate(calls):
        print(f"  %r{k} = call i64 @f{i}(i64 {a}, i64 {b})")
        print(f"  call i32 (ptr, ...) @printf(ptr @format, i32 {i}, i64 %r{k})")
    print("  ret i32 0\n}")


main()
