/// Checks a document against a schema, without recursion: documents and schemas may nest deeply.
struct SchemaRun {
    let schema: Schema
    let document: JSON
    private var digested: DigestedJSON?
    private var frames: [Frame] = []
    /// Those of the frames, one after another: those of the innermost one are the last ones.
    private var tasks: [Task] = []
    private var found: [SchemaViolation] = []
    /// Results for values and schemas whose violations are not reported. Without them, nested alternatives
    /// would be checked again and again.
    private var known: [Pair: Bool] = [:]
    private var patternSteps = Schema.mostPatternSteps
    /// Whether the first violation ends the check.
    var endsAtFirst = false

    private struct Pair: Hashable {
        private var ruleNumber: UInt32
        private var nodeNumber: UInt32

        var rule: Int { Int(ruleNumber) }
        var node: Int { Int(nodeNumber) }

        init(rule: Int, node: Int) { (ruleNumber, nodeNumber) = (UInt32(rule), UInt32(node)) }
    }

    /// What the result of a task means for its frame.
    private enum Role {
        case must, any, one, not, condition, contained
    }

    /// Small, as there is one for each part of a value.
    private struct Task {
        var pair: Pair
        var role: Role
        var token: Token

        init(rule: Int, node: Int, role: Role = .must, token: Token = .none) {
            pair = Pair(rule: rule, node: node)
            (self.role, self.token) = (role, token)
        }
    }

    private enum Token {
        case none
        case key(UInt32)
        case index(UInt32)
    }

    /// A value that is being checked against a rule.
    private struct Frame {
        var pair: Pair
        var token: Token
        /// Only the result is needed, without violations.
        var isQuiet: Bool
        /// Of its tasks, the first one and the next one.
        var first: Int
        var next: Int
        var isValid = true
        var fitsAny = false
        var fitsOne = 0
        var contained = 0
    }

    init(schema: Schema, document: JSON) {
        self.schema = schema
        self.document = document
    }

    mutating func violations(of node: Int = JSON.root) -> [SchemaViolation] {
        var answer = begin(Task(rule: 0, node: node), isQuiet: false)
        while !frames.isEmpty, patternSteps >= 0, found.isEmpty || !endsAtFirst {
            if let fits = answer { take(fits) }
            answer = advance()
        }
        return found
    }

    /// Returns the result if the rule has no further ones.
    private mutating func begin(_ task: Task, isQuiet: Bool) -> Bool? {
        let first = tasks.count
        frames.append(
            Frame(pair: task.pair, token: task.token, isQuiet: isQuiet, first: first, next: first)
        )
        let (rule, node) = (schema.rules[task.pair.rule], task.pair.node)
        if rule.isFalse { report("", .forbidden) }
        check(rule, node)
        guard rule.hasParts else { return frames.removeLast().isValid }
        addTasks(rule, node)
        return nil
    }

    /// Continues with the innermost frame; returns its result once it is complete.
    private mutating func advance() -> Bool? {
        let last = frames.count - 1
        let next = frames[last].next
        if next < tasks.count, frames[last].isValid || !frames[last].isQuiet {
            frames[last].next += 1
            let task = tasks[next]
            if task.role == .any, frames[last].fitsAny { return nil }
            let isQuiet = frames[last].isQuiet || task.role != .must
            if isQuiet, isWorthKnowing(task.pair), let answer = known[task.pair] { return answer }
            return begin(task, isQuiet: isQuiet)
        }
        let frame = frames[last]
        let rule = schema.rules[frame.pair.rule]
        if !rule.anyOf.isEmpty, !frame.fitsAny { report("anyOf", .fitsNone) }
        if rule.contains != nil, document.kind(frame.pair.node) == .array { checkContained(rule, frame) }
        if !rule.oneOf.isEmpty, frame.fitsOne != 1 {
            report("oneOf", .fitsSeveral(frame.fitsOne))
        }
        let isValid = frames[last].isValid
        if frame.isQuiet, isWorthKnowing(frame.pair) { known[frame.pair] = isValid }
        frames.removeLast()
        tasks.removeLast(tasks.count - frame.first)
        return isValid
    }

    /// Whether the result is remembered. A rule that no reference names is checked once for a value; for a
    /// scalar, checking it again is as fast as looking it up.
    private func isWorthKnowing(_ pair: Pair) -> Bool {
        schema.rules[pair.rule].isReferenced && document.firstItem(of: pair.node) != nil
    }

    /// Takes the result of the task that the innermost frame began last.
    private mutating func take(_ fits: Bool) {
        let last = frames.count - 1
        guard last >= 0, frames[last].next > frames[last].first else { return }
        switch tasks[frames[last].next - 1].role {
        case .must: if !fits { frames[last].isValid = false }
        case .any: if fits { frames[last].fitsAny = true }
        case .one: if fits { frames[last].fitsOne += 1 }
        case .contained: if fits { frames[last].contained += 1 }
        case .not: if fits { report("not", .fitsExcluded) }
        case .condition:
            let (pair, rule) = (frames[last].pair, schema.rules[frames[last].pair.rule])
            if let branch = fits ? rule.then : rule.otherwise {
                tasks.append(Task(rule: branch, node: pair.node))
            }
        }
    }

    // MARK: Subschemas

    private mutating func addTasks(_ rule: FixedRule, _ node: Int) {
        switch document.kind(node) {
        case .object where rule.hasMembers: addMemberTasks(rule, node)
        case .array where rule.hasElements: addElementTasks(rule, node)
        default: break
        }
        guard rule.hasInPlace else { return }
        if let reference = rule.reference { tasks.append(Task(rule: reference, node: node)) }
        for part in rule.allOf { tasks.append(Task(rule: part, node: node)) }
        for part in rule.anyOf { tasks.append(Task(rule: part, node: node, role: .any)) }
        for part in rule.oneOf { tasks.append(Task(rule: part, node: node, role: .one)) }
        if let not = rule.not { tasks.append(Task(rule: not, node: node, role: .not)) }
        if let condition = rule.condition {
            tasks.append(Task(rule: condition, node: node, role: .condition))
        }
    }

    private mutating func addElementTasks(_ rule: FixedRule, _ node: Int) {
        for (index, element) in document.elements(of: node).enumerated() {
            let isPrefix = index < rule.prefixItems.count
            if let number = isPrefix ? rule.prefixItems[index] : rule.items {
                tasks.append(Task(rule: number, node: element, token: .index(UInt32(index))))
            }
            if let number = rule.contains {
                tasks.append(
                    Task(rule: number, node: element, role: .contained, token: .index(UInt32(index)))
                )
            }
        }
    }

    private mutating func addMemberTasks(_ rule: FixedRule, _ node: Int) {
        for (key, value) in document.members(of: node) {
            let (count, token) = (tasks.count, Token.key(UInt32(key)))
            if let number = property(key, rule) {
                tasks.append(Task(rule: number, node: value, token: token))
            }
            for (pattern, number) in rule.patternProperties
            where fits(pattern, document.string(key), of: key) {
                tasks.append(Task(rule: number, node: value, token: token))
            }
            if tasks.count == count, let others = rule.additionalProperties {
                tasks.append(Task(rule: others, node: value, token: token))
            }
            if let names = rule.propertyNames { tasks.append(Task(rule: names, node: key, token: token)) }
        }
    }

    /// The schema of a property. If there are few, they are compared without copying the key from the text.
    private func property(_ key: Int, _ rule: FixedRule) -> Int? {
        let list = rule.propertyList
        if list.count > 16 { return rule.properties[document.string(key)] }
        return list.first { document.isKey(key, $0.key) }?.rule
    }

    // MARK: The value itself

    private mutating func check(_ rule: FixedRule, _ node: Int) {
        checkKind(rule, node)
        switch document.kind(node) {
        case .number: checkNumber(rule, node)
        case .string: checkString(rule, node)
        case .array: checkArray(rule, node)
        case .object: checkObject(rule, node)
        default: break
        }
    }

    private mutating func checkObject(_ rule: FixedRule, _ node: Int) {
        for key in rule.required where document.value(of: key, in: node) == nil {
            report("required", .missing(key: name(key)))
        }
        for (key, needed) in rule.dependentRequired where document.value(of: key, in: node) != nil {
            for other in needed where document.value(of: other, in: node) == nil {
                report("dependentRequired", .missingBeside(key: name(key), missing: name(other)))
            }
        }
        guard rule.minProperties != nil || rule.maxProperties != nil else { return }
        let count = document.members(of: node).reduce(0) { sum, _ in sum + 1 }
        if let least = rule.minProperties, count < least {
            report("minProperties", .tooFew(.members, count, least: least))
        }
        if let most = rule.maxProperties, count > most {
            report("maxProperties", .tooMany(.members, count, most: most))
        }
    }

    private mutating func checkContained(_ rule: FixedRule, _ frame: Frame) {
        let least = rule.minContains ?? 1
        if frame.contained < least {
            let keyword = rule.minContains == nil ? "contains" : "minContains"
            report(keyword, .tooFew(.contained, frame.contained, least: least))
        }
        if let most = rule.maxContains, frame.contained > most {
            report("maxContains", .tooMany(.contained, frame.contained, most: most))
        }
    }

    private mutating func checkKind(_ rule: FixedRule, _ node: Int) {
        if let types = rule.types, !isOf(types, node) {
            report("type", .type(document.kind(node), expected: types))
        }
        if let constant = rule.constant, !document.isEqual(node, to: schema.json, constant) {
            report("const", .notConstant(shown(constant)))
        }
        if let values = rule.enumeration,
            !values.contains(where: { document.isEqual(node, to: schema.json, $0) })
        {
            report("enum", .notListed(values.map(shown)))
        }
    }

    private func shown(_ node: Int) -> String {
        String(decoding: schema.json.slice(node), as: UTF8.self)
    }

    private func isOf(_ types: SchemaTypes, _ node: Int) -> Bool {
        switch document.kind(node) {
        case .null: types.contains(.null)
        case .true, .false: types.contains(.boolean)
        case .object: types.contains(.object)
        case .array: types.contains(.array)
        case .string: types.contains(.string)
        case .number:
            types.contains(.number)
                || (types.contains(.integer)
                    && ExactDecimal(document.bytes, document.range(of: node)).isInteger)
        }
    }

    private mutating func checkNumber(_ rule: FixedRule, _ node: Int) {
        guard rule.hasNumbers else { return }
        let value = ExactDecimal(document.bytes, document.range(of: node))
        var text: String { String(decoding: document.slice(node), as: UTF8.self) }
        if let least = rule.minimum, value < least.value {
            report("minimum", .number(text, .below, least.text))
        }
        if let most = rule.maximum, most.value < value {
            report("maximum", .number(text, .above, most.text))
        }
        if let bound = rule.exclusiveMinimum, !(bound.value < value) {
            report("exclusiveMinimum", .number(text, .notAbove, bound.text))
        }
        if let bound = rule.exclusiveMaximum, !(value < bound.value) {
            report("exclusiveMaximum", .number(text, .notBelow, bound.text))
        }
        if let unit = rule.multipleOf, !value.isMultiple(of: unit.value) {
            report("multipleOf", .number(text, .notMultiple, unit.text))
        }
    }

    private mutating func checkString(_ rule: FixedRule, _ node: Int) {
        guard rule.hasStrings else { return }
        if rule.minLength != nil || rule.maxLength != nil {
            let length = document.text.length(ofString: node)
            if let least = rule.minLength, length < least {
                report("minLength", .tooFew(.characters, length, least: least))
            }
            if let most = rule.maxLength, length > most {
                report("maxLength", .tooMany(.characters, length, most: most))
            }
        }
        if let pattern = rule.pattern, !fits(pattern, document.string(node), of: node) {
            report("pattern", .pattern(pattern.text))
        }
        if let format = rule.format, !format.fits(document.string(node)) {
            report("format", .format(format))
        }
    }

    /// Whether a string or key matches. If that takes too long, the whole check ends.
    private mutating func fits(_ pattern: Pattern, _ text: [UInt8], of string: Int) -> Bool {
        guard patternSteps >= 0 else { return false }
        if let fits = pattern.fits(text, budget: &patternSteps) { return fits }
        patternSteps = -1
        let place = frames.last.map { schema.rules[$0.pair.rule].place } ?? .root
        let violation = SchemaViolation(
            pointer: pointer.description,
            position: document.position(of: string),
            rule: place.appending(Array("pattern".utf8)).description,
            reason: .undecided(pattern: pattern.text)
        )
        found.insert(violation, at: 0)
        return false
    }

    private mutating func checkArray(_ rule: FixedRule, _ node: Int) {
        guard rule.minItems != nil || rule.maxItems != nil || rule.uniqueItems else { return }
        let elements = Array(document.elements(of: node))
        if let least = rule.minItems, elements.count < least {
            report("minItems", .tooFew(.elements, elements.count, least: least))
        }
        if let most = rule.maxItems, elements.count > most {
            report("maxItems", .tooMany(.elements, elements.count, most: most))
        }
        guard rule.uniqueItems else { return }
        let digested = self.digested ?? DigestedJSON(document)
        self.digested = digested
        let sorted = elements.sorted { (digested.digests[$0], $0) < (digested.digests[$1], $1) }
        for (index, element) in sorted.enumerated() {
            let same = sorted[(index + 1)...].prefix { digested.digests[$0] == digested.digests[element] }
            if same.contains(where: { digested.isSame(element, digested, $0) }) {
                return report("uniqueItems", .repeatedElement)
            }
        }
    }

    // MARK: Violations

    /// Reports a violation of the innermost frame's value.
    private mutating func report(_ keyword: String, _ reason: SchemaViolation.Reason) {
        let last = frames.count - 1
        frames[last].isValid = false
        guard !frames[last].isQuiet, patternSteps >= 0, found.count < Schema.mostViolations else { return }
        let place = schema.rules[frames[last].pair.rule].place
        found.append(
            SchemaViolation(
                pointer: pointer.description,
                position: document.position(of: frames[last].pair.node),
                rule: (keyword.isEmpty ? place : place.appending(Array(keyword.utf8))).description,
                reason: reason
            )
        )
    }
}

extension SchemaRun {
    /// The pointer of the innermost frame's value.
    private var pointer: JSONPointer {
        JSONPointer(
            tokens: frames.compactMap { frame in
                switch frame.token {
                case .none: nil
                case .key(let node): document.string(Int(node))
                case .index(let index): Array(String(index).utf8)
                }
            }
        )
    }
}
