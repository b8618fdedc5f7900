import Documents
import Testing

@Suite struct ExpressionErrorTests {
    static let faults: [(String, ExpressionError.Kind, Int, String)] = [
        ("", .syntax, 1, "expected an expression, found the end, at column 1"),
        ("a.", .syntax, 3, "expected a key, `*`, `[` or `{` after the `.`, found the end, at column 3"),
        ("a b", .syntax, 3, "expected an operator or the end, found `b`, at column 3"),
        ("é", .syntax, 1, "expected an expression, found `é`, at column 1"),
        ("'é' #", .syntax, 5, "expected an expression, found `#`, at column 5"),
        ("a[1", .syntax, 4, "expected `]`, found the end, at column 4"),
        ("a[b]", .syntax, 3, "expected a number, `:` or `*`, found `b`, at column 3"),
        ("[a, b", .syntax, 6, "expected `,` or `]`, found the end, at column 6"),
        ("{1: a}", .syntax, 2, "expected a key, found `1`, at column 2"),
        ("'abc", .syntax, 5, "expected `'`, found the end, at column 5"),
        ("`{\"a\": }`", .syntax, 8, "a literal that is not JSON: expected a value, found `}`, at column 8"),
        ("let $a = b $a", .syntax, 12, "expected `in`, found `$a`, at column 12"),
        ("let $a = b, c = d in e", .syntax, 13, "expected a variable such as `$a`, found `c`, at column 13"),
        ("\"length\"(a)", .syntax, 9, "expected a function's name without quotes, found `(`, at column 9"),
        ("lenght(a)", .unknownFunction, 1, "unknown function `lenght`, at column 1"),
        ("a || abs()", .invalidArity, 6, "`abs` takes 1 argument, found 0, at column 6"),
        ("pad_left(a)", .invalidArity, 1, "`pad_left` takes 2 to 3 arguments, found 1, at column 1"),
        ("not_null()", .invalidArity, 1, "`not_null` takes at least 1 argument, found 0, at column 1"),
        ("abs('a')", .invalidType, 1, "argument 1 of `abs` must be a number, found a string, at column 1"),
        (
            "abs(&a)", .invalidType, 5,
            "argument 1 of `abs` must be a value, found an expression such as `&a`, at column 5"
        ),
        (
            "sort_by([a], a)", .invalidType, 1,
            "argument 2 of `sort_by` must be an expression such as `&a`, found null, at column 1"
        ),
        (
            "sort_by([a], &@)", .invalidType, 1,
            "each key of `sort_by` must be a number or a string, found null, at column 1"
        ),
        ("'a' + `1`", .invalidType, 5, "an operand of `+` must be a number, found a string, at column 5"),
        ("`1` / `0`", .notANumber, 5, "a division by zero, at column 5"),
        ("$a", .undefinedVariable, 1, "`$a` is not defined here, at column 1"),
        ("$now", .undefinedVariable, 1, "`$now` is not defined here, at column 1"),
        ("a[::0]", .invalidValue, 5, "the step of a slice must not be 0, at column 5"),
        ("percent(`1`, `0`)", .invalidValue, 1, "`percent` of a whole of 0, at column 1"),
        ("date('soon')", .invalidValue, 1, "`date` cannot read this time, at column 1"),
        ("duration('P1M')", .invalidValue, 1, "`duration` needs a text such as `P1DT2H30M`, at column 1"),
        (
            "`1e999999999` + `1`", .notANumber, 15,
            "a calculation with a number of more than 1000 digits, at column 15"
        ),
    ]

    @Test(arguments: faults)
    func `Each error has its kind, its column and its text`(
        expression: String,
        kind: ExpressionError.Kind,
        column: Int,
        text: String
    ) throws {
        let error = try #require(fault(expression))
        #expect(error.kind == kind)
        #expect(error.column == column)
        #expect(error.text == text)
    }

    @Test func `An unknown function has the nearest known one`() {
        #expect(fault("lenght(a)")?.suggestion == "length")
        #expect(fault("frobnicate(a)")?.suggestion == nil)
        #expect(fault("a b")?.suggestion == nil)
    }

    @Test func `Columns count Unicode scalars`() {
        #expect(fault("'e\u{301}𝌆' + `1`")?.column == 7)
    }

    @Test func `An expression that is too long or too deep is an error`() {
        let long = String(repeating: " ", count: JSONExpression.mostBytes) + "a"
        #expect(fault(long)?.reason == .tooLong(limit: JSONExpression.mostBytes))
        for (open, close) in [
            ("(", ")"), ("[", "]"), ("!", ""), ("-", ""), ("[*]", ""), ("a.", "a"), ("a+", "a"),
        ] {
            let deep = String(repeating: open, count: 20_000) + "a" + String(repeating: close, count: 20_000)
            #expect(fault(String(deep.prefix(JSONExpression.mostBytes)))?.kind != nil, "\(open)")
        }
    }

    @Test(arguments: [
        ("(", "a", ")"), ("[", "a", "]"), ("{a:", "a", "}"), ("[0]", "", ""), ("[*]", "", ""), ("[]", "", ""),
        ("a[?", "a", "]"), ("a.", "a", ""), ("a+", "a", ""), ("-", "a", ""), ("!", "a", ""), ("a||", "a", ""),
        ("let $a=a in ", "$a", ""), ("to_array(", "a", ")"), ("map(&[@],[", "a", "])"), ("a?b:", "a", ""),
    ])
    func `An expression of the most levels is evaluated`(open: String, inner: String, close: String) throws {
        func text(_ count: Int) -> String {
            String(repeating: open, count: count) + inner + String(repeating: close, count: count)
        }
        func isTooDeep(_ count: Int) -> Bool {
            (try? JSONExpression(parsing: text(count))) == nil
        }
        let count = try #require((1...JSONExpression.mostLevels).last { !isTooDeep($0) })
        #expect(count > JSONExpression.mostLevels / 3)
        let deep = String(repeating: "[", count: 400) + String(repeating: "]", count: 400)
        for document in [deep, #"{"a":1}"#, #"{"a":\#(deep)}"#] {
            do { _ = try value(text(count), of: document) } catch { #expect(error is ExpressionError) }
        }
        #expect(
            fault(text(JSONExpression.mostLevels + 1))?.reason == .tooDeep(limit: JSONExpression.mostLevels)
        )
    }

    @Test(arguments: [
        "map(&map(&map(&@, $), $), $)", "[*].[$[*].[$[*]]]", "sort_by($, &length(sort($)))",
        "map(&contains($, @), $)",
    ])
    func `An evaluation that takes too many steps is an error`(expression: String) {
        let rows = "[" + (0..<2000).map(String.init).joined(separator: ",") + "]"
        #expect(fault(expression, of: rows)?.reason == .tooManySteps(limit: 1_000_000))
    }

    @Test(arguments: [
        "map(&$, [*])", "map(&to_string($), [*])", "pad_left('', `999999999`)",
        "let $a = to_string(@) in let $b = join('', [$a, $a, $a, $a]) in "
            + "let $c = join('', [$b, $b, $b, $b]) in let $d = join('', [$c, $c, $c, $c]) in "
            + "let $e = join('', [$d, $d, $d, $d]) in join('', [$e, $e, $e])",
        "replace(to_string(@), ',', to_string(@))",
    ])
    func `An evaluation that makes too much is an error`(expression: String) {
        let rows = "[" + (0..<9000).map(String.init).joined(separator: ",") + "]"
        #expect(fault(expression, of: rows)?.reason == .tooManyBytes(limit: 16 << 20))
    }

    @Test func `The bounds of an evaluation can be set`() {
        #expect(fault("a.b.c", of: "{}") { $0.limits.steps = 2 }?.reason == .tooManySteps(limit: 2))
        #expect(fault("'abc'") { $0.limits.bytes = 2 }?.reason == .tooManyBytes(limit: 2))
    }
}
