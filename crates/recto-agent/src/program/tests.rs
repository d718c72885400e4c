//! Programs and what they print.

use std::cell::Cell;
use std::time::Duration;

use super::*;

/// Two files; the toll of lock n stands on page n of the first.
struct Shelf;

impl Library for Shelf {
    fn files(&self) -> Vec<(String, u32)> {
        vec![("canal.pdf".into(), 3), ("tower.pdf".into(), 1)]
    }

    fn page(&self, file: &str, page: u32) -> Option<String> {
        match (file, page) {
            ("canal.pdf", 1..=3) => Some(format!("The toll at lock {page}\nis {} crowns.", 30 + page)),
            ("tower.pdf", 1) => Some("The tower is 44 metres high. Überall.".into()),
            _ => None,
        }
    }

    fn search(&self, query: &str, k: usize) -> Result<Vec<(String, u32, f64)>, String> {
        Ok(vec![(query.into(), k as u32, 0.5)])
    }

    fn ask(&self, prompt: &str) -> Result<String, String> {
        if prompt.contains("fail") { Err("no model".into()) } else { Ok(prompt.to_uppercase()) }
    }
}

fn run(text: &str) -> Result<String, String> {
    super::run(text, &mut Memory::default(), &Shelf, &Limits::default(), &|| Duration::ZERO)
}

#[track_caller]
fn check(text: &str, want: &str) {
    assert_eq!(run(text).as_deref(), Ok(want), "{text}");
}

#[track_caller]
fn fault(text: &str, part: &str) {
    let why = run(text).unwrap_err();
    assert!(why.contains(part), "{text}: {why}");
}

#[test]
fn values() {
    check("1 + 2 * 3 - 4 // 3", "6");
    check("2 ** 10, -7 // 2, -7 % 3, 7 / 2", "(1024, -4, 2, 3.5)");
    check("7 // -2, 7 % -3, -7 // -2", "(-4, -2, 3)");
    check("0.1 + 0.2", "0.30000000000000004");
    check("1e20, 1.0, 1e-7", "(1e+20, 1.0, 1e-07)");
    check("'a' + \"b\" 'c' * 2", "'abcbc'");
    check("'it\\'s', 'a\\nb', r'\\d'", "(\"it's\", 'a\\nb', '\\\\d')");
    check("[1, 2] + [3], (1,), {'a': 1, 2: None}, {3, 3}, set()", "([1, 2, 3], (1,), {'a': 1, 2: None}, {3}, set())");
    check("True and 0 or 'x', not [], None is None", "('x', True, True)");
    check("1 < 2 <= 2 != 3, 'b' in 'abc', 4 not in [1]", "(True, True, True)");
    check("'yes' if 3 > 2 else 'no'", "'yes'");
    check(
        "x = [1, 2, 3, 4, 5]\nx[1:3], x[-1], x[::-1], x[:2], x[::2]",
        "([2, 3], 5, [5, 4, 3, 2, 1], [1, 2], [1, 3, 5])",
    );
    check("'Überall'[1:4], 'abc'[-1], len('Übe')", "('ber', 'c', 3)");
    check("{1: 2} == {1.0: 2.0}, [1, [2]] == [1, [2]], (1,) == [1]", "(True, True, False)");
}

#[test]
fn statements() {
    check("total = 0\nfor i in range(5):\n    if i == 3:\n        continue\n    total += i\nprint(total)", "7");
    check("n = 0\nwhile True:\n    n += 1\n    if n > 4: break\nprint(n)", "5");
    check("def f(a, b=2, c=3):\n    return a + b * c\nprint(f(1), f(1, c=1), f(a=0))", "7 3 6");
    check("def fact(n):\n    return 1 if n < 2 else n * fact(n - 1)\nfact(15)", "1307674368000");
    check("a, (b, c) = 1, [2, 3]\na, b = b, a\nprint(a, b, c)", "2 1 3");
    check(
        "try:\n    x = 1 / 0\nexcept ZeroDivisionError as e:\n    print('caught', e)\nfinally:\n    print('done')",
        "caught ZeroDivisionError: division by zero\ndone",
    );
    check("d = {}\nfor w in 'a b a'.split():\n    d.setdefault(w, []).append(len(w))\nd", "{'a': [1, 1], 'b': [1]}");
    check("from collections import Counter, defaultdict\nimport re\nCounter('abca').most_common(1)", "[('a', 2)]");
    check("d = defaultdict(list)\nd['x'].append(1)\nd['y'] += [2]\nd", "{'x': [1], 'y': [2]}");
    check("    x = 1\n    if x:\n        print('in')", "in");
    check("x = 1; y = 2\n# a remark\nprint(x,\n      y)", "1 2");
    check("x = [3, 1]\nx.sort()\nx.insert(1, 2)\ndel x[0]\nx", "[2, 3]");
    check("def outer():\n    k = 5\n    return lambda x: x + k\nouter()(1)", "6");
    check("if False:\n    pass\nelif 0: pass\nelse:\n    print('else')", "else");
    check("x: int = 4\nassert x == 4, 'no'\nx", "4");
}

#[test]
fn comprehensions_and_functions() {
    check("[x * y for x in range(3) for y in [1, 10] if x]", "[1, 10, 2, 20]");
    check("{k: v for k, v in [('a', 1), ('b', 2)]}, {c for c in 'aab'}", "({'a': 1, 'b': 2}, {'a', 'b'})");
    check("x = 'kept'\ny = [x for x in [1]]\nx", "'kept'");
    check("sum(x for x in [1, 2.5]), max([3, 9, 2]), min('b', 'a'), any([0, 1]), all([])", "(3.5, 9, 'a', True, True)");
    check("sorted(['b', 'A', 'c'], key=str.lower, reverse=True)", "['c', 'b', 'A']");
    check("sorted({'x': 2, 'y': 1}.items(), key=lambda p: p[1])", "[('y', 1), ('x', 2)]");
    check(
        "list(enumerate(['a'], 1)), list(zip([1, 2], 'ab')), list(map(len, ['ab'])), list(filter(None, [0, 3]))",
        "([(1, 'a')], [(1, 'a'), (2, 'b')], [2], [3])",
    );
    check(
        "max(['aa', 'b'], key=len), max([], default=0), round(2.675, 2), round(2.5), int('42'), float('1.5'), str(3)",
        "('aa', 0, 2.67, 2, 42, 1.5, '3')",
    );
    check("isinstance(1, int), isinstance('x', (int, str)), type([])", "(True, True, 'list')");
}

#[test]
fn texts_and_patterns() {
    check("' a,b '.strip().split(','), 'x y'.title(), 'aXb'.lower().replace('x', '-')", "(['a', 'b'], 'X Y', 'a-b')");
    check(
        "'canal'.find('n'), 'canal'.count('a'), 'a-b'.partition('-'), '-'.join(['a', 'b'])",
        "(2, 2, ('a', '-', 'b'), 'a-b')",
    );
    check(
        "f'{3.14159:.2f}|{1234567:,}|{\"x\":>3}|{0.256:.1%}|{5:03d}|{{}}|{[1, 2][0]}|{\"q\"!r}'",
        "\"3.14|1,234,567|  x|25.6%|005|{}|1|'q'\"",
    );
    check(
        "re.findall(r'(\\w+)=(\\d+)', 'a=1, b=22'), re.findall(r'\\d+', 'a1b22')",
        "([('a', '1'), ('b', '22')], ['1', '22'])",
    );
    check(
        "m = re.search(r'(?P<n>\\d+) Kro', 'ü 35 Kronen')\nm.group(), m.group('n'), m.start(), m.span(1), m[1]",
        "('35 Kro', '35', 2, (2, 4), '35')",
    );
    check(
        "re.sub(r'(\\d)', r'<\\1>', 'a1'), re.split(r',\\s*', 'a, b'), re.search('x', 'y')",
        "('a<1>', ['a', 'b'], None)",
    );
    check("re.sub('[a-z]', lambda m: m.group().upper(), 'ab1')", "'AB1'");
    check("re.match('a', 'ba'), bool(re.search('A', 'ba', re.I))", "(None, True)");
}

#[test]
fn the_corpus() {
    check("files()", "[('canal.pdf', 3), ('tower.pdf', 1)]");
    check("print(page('canal.pdf', 2))", "The toll at lock 2\nis 32 crowns.");
    check(
        "grep(r'is \\d+', context=3)",
        "[('canal.pdf', 1, '1 is 31 cr'), ('canal.pdf', 2, '2 is 32 cr'), ('canal.pdf', 3, '3 is 33 cr'), ('tower.pdf', 1, 'er is 44 me')]",
    );
    check("grep('TOLL', 'canal.pdf', 0, 1)", "[('canal.pdf', 1, 'toll')]");
    check(
        "print(document('tower.pdf'))",
        "[FILE: tower.pdf | TOTAL PAGES: 1]\n[PAGE 1]\nThe tower is 44 metres high. Überall.\n[END PAGE 1]\n[END FILE: tower.pdf]",
    );
    check("[int(x) for x in re.findall(r'is (\\d+) crowns', corpus)]", "[31, 32, 33]");
    check("search('toll', k=3)", "[('toll', 3, 0.5)]");
    check("llm('what?')", "'WHAT?'");
    check("x = 1", "(nothing was printed)");
    fault("llm('fail')", "no model");
    fault("page('canal.pdf', 4)", "there is no page 4");
}

#[test]
fn variables_stay() {
    let mut memory = Memory::default();
    let mut run = |text: &str| super::run(text, &mut memory, &Shelf, &Limits::default(), &|| Duration::ZERO);
    assert_eq!(run("hits = grep('toll')\ndef n(): return len(hits)"), Ok("(nothing was printed)".into()));
    assert_eq!(run("print(n())\nraise ValueError('stop')"), Err("line 2: stop\nIt had printed:\n3".into()));
    assert_eq!(run("hits[0][1]"), Ok("1".into()));
}

#[test]
fn faults_say_what_and_where() {
    fault("x = 1\nprint(y)", "line 2: NameError: y is not defined");
    fault("open('/etc/passwd')", "NameError: open is not defined");
    fault("import os", "there is no module \"os\"");
    fault("__import__('os')", "NameError");
    fault("''.__class__", "has no");
    fault("print(''.__class__.__mro__)", "has no");
    fault("eval('1')", "NameError");
    fault("class A: pass", "\"class\" is not part of this language");
    fault("1 +", "the line ends too soon");
    fault("if True:\nprint(1)", "an indented block is expected");
    fault("f(", "line 1");
    fault("'abc", "a text is not closed");
    fault("[1, 2][5]", "IndexError");
    fault("{}['a']", "KeyError: 'a'");
    fault("'a' + 1", "str + int");
    fault("[1] < ['a']", "have no order");
    fault("9223372036854775807 + 1", "OverflowError");
    fault("re.search('(?=x)', 'x')", "can't look around");
    fault("{[]: 1}", "can't be a key");
    fault("(1, 2)[0] = 3", "a tuple does not change");
}

#[test]
fn limits_hold() {
    let limited = |text: &str, limits: Limits| {
        super::run(text, &mut Memory::default(), &Shelf, &limits, &|| Duration::ZERO).unwrap_err()
    };
    let small = Limits { steps: 100_000, bytes: 1 << 20, ..Limits::default() };
    assert!(
        limited("while True:\n    try:\n        x = 1\n    except: pass", small).contains("more than 100000 steps")
    );
    assert!(limited("x = []\nwhile True: x.append('a' * 1000)", small).contains("too much memory"));
    assert!(limited("x = 'a'\nwhile True: x = x + x", small).contains("too much memory"));
    assert!(limited("d = {}\ni = 0\nwhile True:\n    d[i] = i\n    i += 1", small).contains("memory"));
    assert!(limited("'a' * 10 ** 12", small).contains("too long"));
    assert!(limited("range(10 ** 12)", small).contains("too long"));
    assert!(limited("def f(n): return f(n + 1)\nf(0)", small).contains("RecursionError"));
    assert!(limited(&format!("{}1{}", "(".repeat(5_000), ")".repeat(5_000)), small).contains("nested too deep"));
    assert!(limited(&"not ".repeat(5_000), small).contains("nested too deep"));
    assert!(limited(&"x".repeat(200_000), small).contains("too long"));
    assert!(limited("x = 'a' * 500000\n','.join([x] * 1000)", small).contains("too long"));
    assert!(
        limited("def f():\n    k = 1\n    x = []\n    while True: x.append(lambda: k)\nf()", small).contains("memory")
    );
    let ticks = Cell::new(0);
    let clock = || {
        ticks.set(ticks.get() + 1);
        Duration::from_secs(ticks.get())
    };
    let slow = super::run("while True: pass", &mut Memory::default(), &Shelf, &Limits::default(), &clock).unwrap_err();
    assert!(slow.contains("longer than 60 s"), "{slow}");
    let short = Limits { output: 10, ..Limits::default() };
    let printed = super::run("print('x' * 100)", &mut Memory::default(), &Shelf, &short, &|| Duration::ZERO).unwrap();
    assert!(printed.starts_with("xxxxxxxxxx\n[91 more characters"), "{printed}");
    // Long lists and dicts are built one by one without the cost of their length.
    let grown = "x = []\nd = {}\nfor i in range(30000):\n    x.append(i)\n    d.setdefault(i, 0)\nlen(x) + len(d)";
    let few = Limits { steps: 700_000, ..Limits::default() };
    assert_eq!(super::run(grown, &mut Memory::default(), &Shelf, &few, &|| Duration::ZERO), Ok("60000".into()));
    // What is dropped is free again.
    let room = Limits { bytes: 1 << 20, ..Limits::default() };
    let freed =
        super::run("for i in range(1000): x = 'a' * 100000\nlen(x)", &mut Memory::default(), &Shelf, &room, &|| {
            Duration::ZERO
        });
    assert_eq!(freed, Ok("100000".into()));
    let looped = super::run(
        "x = []\nx.append(x)\nprint(x == x, len(str(x)) < 1000)",
        &mut Memory::default(),
        &Shelf,
        &room,
        &|| Duration::ZERO,
    );
    assert!(looped.is_ok(), "{looped:?}");
}

#[test]
fn values_may_be_deeper_than_the_stack() {
    for program in ["x = [x]", "x = (x,)", "x = {1: x}", "x = (lambda y: lambda: y)(x)"] {
        let program = format!("x = []\nfor i in range(300000):\n    {program}\nx = 1\nx");
        let limits = Limits { bytes: 1 << 30, ..Limits::default() };
        let said = super::run(&program, &mut Memory::default(), &Shelf, &limits, &|| Duration::ZERO);
        assert_eq!(said, Ok("1".into()), "{program}");
    }
}

proptest::proptest! {
    #[test]
    fn any_text_is_a_program_or_a_fault(text in "(\\PC|[\n :()\\[\\]{}='\"0-9a-f.,+*/%-]|for |in |if |def |lambda |print|x|page|re\\.){0,60}") {
        let limits = Limits { steps: 20_000, bytes: 1 << 20, ..Limits::default() };
        let _ = super::run(&text, &mut Memory::default(), &Shelf, &limits, &|| Duration::ZERO);
    }
}
