import Documents
import Foundation

extension FuzzTarget {
    private static func document(_ bytes: [UInt8]) -> JSON? { try? JSON(parsing: bytes) }

    /// Without what other programs read differently: keys that stand twice, halves of surrogate pairs.
    private static func tame(_ bytes: [UInt8]) -> JSON? {
        document(bytes).flatMap { $0.warnings.isEmpty ? $0 : nil }
    }

    // MARK: - Parsing

    static func parsing(_ bytes: [UInt8]) -> String? {
        let read = document(bytes)
        if let read {
            if read.bytes != bytes { return "it is printed as other bytes" }
            if !read.isEqual(to: read) { return "it is not equal to itself" }
        }
        guard let judged = secondOpinion(on: bytes), judged != (read != nil) else { return nil }
        return read == nil ? "Foundation reads it, and we do not" : "we read it, and Foundation does not"
    }

    /// Whether Foundation reads it; `nil` where its answer says nothing: for text that is no UTF-8, or is
    /// told from UTF-16 by its zeros; with a mark in front or halves of pairs; with numbers that it cannot
    /// hold; deeper than it goes; and with a comma behind the last of a list, which it lets pass.
    private static func secondOpinion(on bytes: [UInt8]) -> Bool? {
        guard let text = String(validating: bytes, as: UTF8.self), !bytes.contains(0),
            !text.unicodeScalars.contains("\u{FEFF}"), !text.contains("\\u"), !hasLargeNumber(bytes)
        else { return nil }
        let dense = text.filter { !$0.isWhitespace }
        guard !dense.contains(",}"), !dense.contains(",]") else { return nil }
        let depth = bytes.count { $0 == UInt8(ascii: "[") || $0 == UInt8(ascii: "{") }
        guard depth < 500 else { return nil }
        return (try? JSONSerialization.jsonObject(with: Data(bytes), options: .fragmentsAllowed)) != nil
    }

    /// Digits and what else is in a number, more of them in a row than fit in any.
    private static func hasLargeNumber(_ bytes: [UInt8]) -> Bool {
        var exponent = false
        var digits = 0
        for byte in bytes {
            switch byte {
            case UInt8(ascii: "0")...UInt8(ascii: "9"):
                digits += 1
                if digits > (exponent ? 2 : 15) { return true }
            case UInt8(ascii: "e"), UInt8(ascii: "E"): (exponent, digits) = (true, 0)
            case UInt8(ascii: "+"), UInt8(ascii: "-"), UInt8(ascii: "."): continue
            default: (exponent, digits) = (false, 0)
            }
        }
        return false
    }

    // MARK: - Patches

    /// Document and patch.
    static func patching(_ parts: [[UInt8]]) -> String? {
        guard let json = document(parts.part(0)), let text = document(parts.part(1)),
            let patched = try? JSONPatch(text).apply(to: json)
        else { return nil }
        return document(patched.bytes) == nil ? "what was patched cannot be read" : nil
    }

    /// Two documents.
    static func diffing(_ parts: [[UInt8]]) -> String? {
        guard let old = tame(parts.part(0)), let new = tame(parts.part(1)) else { return nil }
        let patch = JSONPatch.diff(from: old, to: new, isTested: true)
        if document(patch.json.bytes) == nil { return "the difference cannot be read" }
        if patch.isEmpty != old.isEqual(to: new) { return "the difference of equals, or none of others" }
        do {
            let made = try JSONPatch(patch.json).apply(to: old)
            if !made.isEqual(to: new) { return "the difference does not lead there" }
        } catch {
            return "the difference does not apply: \(error)"
        }
        _ = JSON.mergePatch(from: old, to: new)
        _ = TextDiff(from: old, to: new).hunks(context: 3)
        return nil
    }

    /// Base, app's and group's.
    static func merging(_ parts: [[UInt8]]) -> String? { merging(parts, by: .plain(path: "x.json")) }

    private static func merging(_ parts: [[UInt8]], by rule: DocumentRule) -> String? {
        guard let base = tame(parts.part(0)), let app = tame(parts.part(1)), let group = tame(parts.part(2))
        else { return nil }
        func merged(_ base: JSON?, _ app: JSON, _ group: JSON) throws -> Merge {
            try rule.merge(base: base, app: app, group: group)
        }
        do {
            let merge = try merged(base, app, group)
            if tame(merge.result.bytes) == nil { return "the merge cannot be read, or has a key twice" }
            _ = try merged(nil, app, group)
            for (one, result) in [
                (try merged(base, app, base), app), (try merged(base, base, group), group),
                (try merged(base, app, app), app),
            ] where !one.result.isEqual(to: result) || !one.conflicts.isEmpty {
                return "one side's change alone is not what comes out"
            }
        } catch {
            return "it cannot be merged: \(error)"
        }
        return nil
    }

    // MARK: - Schemas and profiles

    /// Schema and document.
    static func checking(_ parts: [[UInt8]]) -> String? {
        guard let text = document(parts.part(0)), let schema = try? Schema(text),
            let json = document(parts.part(1))
        else { return nil }
        return schema.violations(of: json) == schema.violations(of: json) ? nil : "it is judged in two ways"
    }

    /// Pattern and text, neither quoted.
    static func matching(_ parts: [[UInt8]]) -> String? {
        guard let pattern = String(validating: parts.part(0), as: UTF8.self),
            let text = String(validating: parts.part(1), as: UTF8.self),
            let quoted = try? JSONEncoder().encode(["pattern": pattern]),
            let subject = try? JSONEncoder().encode(text)
        else { return nil }
        return checking([Array(quoted), Array(subject)])
    }

    /// Expression and document; times and the widget's parameters are known.
    static func evaluating(_ parts: [[UInt8]]) -> String? {
        guard let text = String(validating: parts.part(0), as: UTF8.self), let json = document(parts.part(1))
        else { return nil }
        var surroundings = JSONExpression.Surroundings()
        (surroundings.now, surroundings.zone) = (1_774_737_000, JSONExpression.Zone(name: "UTC", rules: .utc))
        (surroundings.limit, surroundings.config) = (3, JSONValue(json))
        surroundings.limits.steps = 100_000
        do throws(ExpressionError) {
            let found = try JSONExpression(parsing: text).evaluate(json, in: surroundings)
            if let change = found.changesAt, change <= 1_774_737_000 { return "it changes in the past" }
            return document(found.value.bytes) == nil ? "the value is no JSON" : nil
        } catch {
            let columns = 1...text.unicodeScalars.count + 1
            return columns.contains(error.column) ? nil : "the column is not in the expression"
        }
    }

    /// Profile and document; a base and a group's beside that, to be merged by the profile's rules.
    static func profiling(_ parts: [[UInt8]]) -> String? {
        let yaml = String(decoding: parts.part(0), as: UTF8.self)
        guard let profile = try? Profile(yaml: yaml, file: "fuzz.yaml") else { return nil }
        _ = profile.lint()
        for rule in profile.documents {
            if let fault = merging([parts.part(2), parts.part(1), parts.part(3)], by: rule) { return fault }
        }
        guard let json = document(parts.part(1)) else { return nil }
        for rule in profile.documents {
            let up = rule.migration(of: json)
            guard up.verdict == .lossless, let newest = up.result else { continue }
            let down = rule.migration(of: newest, to: up.from)
            guard down.verdict == .lossless, let old = down.result else { continue }
            let again = rule.migration(of: old).result
            if again?.isEqual(to: newest) != true { return "up, down and up again is not where it was" }
        }
        return nil
    }
}
