import Documents
import Testing

@Suite struct ExpressionLanguageTests {
    @Test(arguments: [
        ("keys(@)", #"["b","a"]"#), ("values(@)", "[2,1]"), ("*", "[2,1]"),
        ("{z: a, y: b}", #"{"z":1,"y":2}"#),
        ("{z: a, y: b, z: b}", #"{"z":2,"y":2}"#),
        ("merge(@, {c: `3`, b: `4`})", #"{"b":4,"a":1,"c":3}"#),
        ("items(@)", #"[["b",2],["a",1]]"#), ("from_items(items(@))", #"{"b":2,"a":1}"#),
    ])
    func `Members keep their order`(expression: String, expected: String) throws {
        #expect(try value(expression, of: #"{"b": 2, "a": 1}"#) == expected)
    }

    @Test func `Groups come in the order of their first elements`() throws {
        let rows = #"[{"k":"b","n":1},{"k":"a","n":2},{"n":3},{"k":"b","n":4}]"#
        #expect(
            try value("group_by(@, &k)", of: rows)
                == #"{"b":[{"k":"b","n":1},{"k":"b","n":4}],"a":[{"k":"a","n":2}]}"#
        )
    }

    @Test(arguments: [
        ("!a.b", "false"), ("!a[0]", "true"), ("!(a).c", "true"), ("!a.c || a.b", "true"),
        ("-a.b", "-1"), ("-a.b + a.b", "0"), ("-`7` // `2`", "-4"), ("-(`7` // `2`)", "-3"),
        ("`2` + `3` * `4`", "14"), ("`10` - `3` - `2`", "5"), ("`1` + `1` == `2`", "true"),
        ("a.b ? 'x' : 'y' | length(@)", "1"), ("a.c ? `1` : a.b ? `2` : `3`", "2"),
        ("`2` × `3` ÷ `4` − `1` – `1`", "-0.5"), ("`-7` % `3`", "2"), ("`7` % `-3`", "-2"),
    ])
    func `Operators bind as written`(expression: String, expected: String) throws {
        #expect(try value(expression, of: #"{"a": {"b": 1}}"#) == expected)
    }

    @Test func `A let sees the variables around it, and only those`() throws {
        #expect(try value("let $a = `1`, $b = `2` in let $a = $b in [$a, $b]") == "[2,2]")
        #expect(try value("[`1`, `2`][*].[let $a = @ in $a + $a]") == "[[2],[4]]")
        #expect(fault("let $a = `1`, $b = $a in $b")?.reason == .undefinedVariable("a"))
        #expect(fault("[let $a = `1` in $a, $a]")?.reason == .undefinedVariable("a"))
        #expect(try value("let $now = `1` in $now") == "1")
    }

    @Test func `The root stays what it was`() throws {
        let document = #"{"wanted": 2, "rows": [{"n": 1}, {"n": 2}]}"#
        #expect(try value("rows[?n == $.wanted]", of: document) == #"[{"n":2}]"#)
    }

    @Test func `Null stops what is behind a dot, not what is behind a pipe`() throws {
        #expect(try value("a.length(@)", of: "{}") == "null")
        #expect(try value("a | [@]", of: "{}") == "[null]")
        #expect(fault("a | length(@)", of: "{}")?.kind == .invalidType)
    }

    @Test(arguments: [
        ("sort(@)", #"["B","a","b","é","𝌆"]"#, #"["𝌆","b","é","a","B"]"#),
        ("sort(@)", "[-1,0.5,1e0,1.0,2e1]", "[2e1,1e0,-1,1.0,0.5]"),
        ("sort_by(@, &[0])", "[[1,1],[1.0,2],[1,3]]", "[[1,1],[1.0,2],[1,3]]"),
        ("max_by(@, &[0])", "[1,1]", "[[0,0],[1,1],[1.0,2]]"),
        ("min_by(@, &[0])", "[1,1]", "[[1,1],[1.0,2],[3,0]]"),
        (
            "sort(@)", "[0.1,0.10000000000000000000000000000000001,1e400]",
            "[1e400,0.10000000000000000000000000000000001,0.1]"
        ),
    ])
    func `Sorting is exact and stable`(expression: String, expected: String, document: String) throws {
        #expect(try value(expression, of: document) == expected)
    }

    @Test(arguments: [
        ("`1` == `1.0`", "true"), ("`1e2` == `100`", "true"),
        ("`[1, {\"a\": 2}]` == `[1.0, {\"a\": 2e0}]`", "true"),
        ("`{\"a\": 1, \"b\": 2}` == `{\"b\": 2, \"a\": 1}`", "true"), ("`1` == `true`", "false"),
        ("`9007199254740993` == `9007199254740992`", "false"), ("'a' < 'b'", "null"),
        ("@ == `{\"a\": [1]}`", "true"), ("@ == {a: [a[0]]}", "true"), ("@ == {a: [`2`]}", "false"),
        ("contains([a, `3`], a)", "true"), ("@ == $", "true"),
    ])
    func `Values are equal by what they mean`(expression: String, expected: String) throws {
        #expect(try value(expression, of: #"{"a": [1.0]}"#) == expected)
    }

    @Test func `The text of a number of the document is kept`() throws {
        #expect(try value("[a, to_string(a), -a]", of: #"{"a": 1.50}"#) == #"[1.50,"1.50",-1.5]"#)
        #expect(try value("`1.50`") == "1.50")
    }

    @Test(arguments: [
        ("'hello'[1:3]", #""el""#), ("'hello'[::-1]", #""olleh""#), ("a[1:].b", "[2]"), ("a[:9].b", "[1,2]"),
        ("a[-1].b", "2"), ("a[99999999999999999999]", "null"),
        ("a[-99999999999999999999:]", "[{\"b\":1},{\"b\":2}]"),
    ])
    func `Slices and indexes`(expression: String, expected: String) throws {
        #expect(try value(expression, of: #"{"a": [{"b": 1}, {"b": 2}]}"#) == expected)
    }

    @Test(arguments: [
        (#"'\u00e9'"#, #""\\u00e9""#), (#""\u00e9""#, "1"), (#"`"\u00e9"`"#, #""é""#),
        (#"'it\'s'"#, #""it's""#),
        (#"`"\`"`"#, #""`""#), (#"'\\'"#, #""\\\\""#),
    ])
    func `Strings are read as they are quoted`(expression: String, expected: String) throws {
        #expect(try value(expression, of: #"{"é": 1}"#) == expected)
    }

    @Test(arguments: [
        ("split('a,b,,c', ',')", #"["a","b","","c"]"#), ("replace('aaaa', 'aa', 'b')", #""bb""#),
        ("replace('abc', '', 'x')", #""abc""#), ("find_last('abcabc', 'bc')", "4"),
        ("find_first('aäa', 'a', `1`)", "2"), ("upper('straße')", #""STRASSE""#),
        ("trim_left('  a ')", #""a ""#), ("pad_left('7', `3`, '0')", #""007""#),
        ("reverse('añb')", #""bña""#),
        ("to_number('1e2')", "1e2"), ("to_number(' 1')", "null"), ("to_number('0x1')", "null"),
        ("contains('abc', `1`)", "false"), ("contains('abc', '')", "true"),
        ("join('-', ['a', 'b'])", #""a-b""#),
        ("starts_with('abc', 'ab')", "true"), ("ends_with('abc', 'bc')", "true"),
        ("ends_with('abc', 'ab')", "false"), ("length('𝌆')", "1"), ("to_string({a: `1`})", #""{\"a\":1}""#),
    ])
    func `Functions of strings`(expression: String, expected: String) throws {
        #expect(try value(expression) == expected)
    }

    @Test func `A list is cut to the number of rows`() throws {
        #expect(try value("take(@, $limit)", of: "[1,2,3]") { $0.limit = 2 } == "[1,2]")
        #expect(try value("take(@, `9`)", of: "[1,2,3]") == "[1,2,3]")
        #expect(fault("take(@, `-1`)", of: "[]")?.kind == .invalidValue)
    }

    @Test func `Half a surrogate pair stays what it is`() throws {
        let document = #"{"a": "x\ud800y"}"#
        #expect(try value("a", of: document) == #""x\ud800y""#)
        #expect(try value("[reverse(a), upper(a), length(a)]", of: document) == #"["y\ud800x","X\ud800Y",3]"#)
    }
}
