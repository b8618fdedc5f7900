/// A conversion that the draft may propose, tried on the samples with the lens itself.
struct DraftConversion {
    var from: String
    var to: String
    private var lens: ConvertLens

    static let all: [DraftConversion] =
        [
            DraftConversion(from: "0/1", to: "boolean", .flag(mostlyNumbers: true)),
            DraftConversion(from: "text", to: "number", .decimal),
            DraftConversion(from: "number", to: "text", .decimal, isReversed: true),
        ]
        + forms.flatMap { old in
            forms.filter { $0 != old && !isDigits(of: $0, old) }.map { new in
                DraftConversion(from: old.rawValue, to: new.rawValue, .time(from: [old], to: new))
            }
        }

    /// Whether the two differ only as text and number do, which has a conversion of its own.
    private static func isDigits(of one: TimeForm, _ other: TimeForm) -> Bool {
        Set([one, other]) == [.milliseconds, .millisecondsText]
    }

    /// The forms that need no time zone and are not easily mistaken for something else.
    private static let forms: [TimeForm] = [.iso8601, .milliseconds, .seconds2001, .millisecondsText]

    private init(from: String, to: String, _ conversion: ConvertLens.Conversion, isReversed: Bool = false) {
        (self.from, self.to) = (from, to)
        lens = ConvertLens(key: Array(Self.key.utf8), conversion: conversion, isReversed: isReversed)
    }

    private static let key = "value"

    /// Whether it converts each old value to the new one, and changes at least one of them.
    func leads(_ values: [(old: Sample?, new: Sample?)]) -> Bool {
        values.allSatisfy { ($0.old == nil) == ($0.new == nil) }
            && values.contains { $0.old != $0.new }
            && values.allSatisfy { old, new in
                guard let old, let new else { return true }
                return converted(old).map { $0 == new || $0.isSame(as: new) } ?? false
            }
    }

    private func converted(_ value: Sample) -> Sample? {
        let text = JSONText(object: [(Self.key, value.text)]).description
        guard let document = try? JSON(parsing: Array(text.utf8)) else { return nil }
        var work = LensWork(document)
        do throws(DocumentError) {
            work.draft.root = try work.run([LensStep(lens: lens, isUp: true)], on: work.draft.root)
            let printed = try DraftPrinter.print(work.draft)
            let result = try Draft.parse(printed.text, limits: document.limits)
            return result.value(of: Array(Self.key.utf8), in: JSON.root).map { Sample(result, $0) }
        } catch {
            return nil
        }
    }
}

extension Sample {
    /// Whether both are the same number, or the same UTC time, written with more or fewer digits.
    fileprivate func isSame(as other: Sample) -> Bool {
        if case .number(let mine) = self, case .number(let its) = other,
            let one = try? JSON(parsing: Array(mine.utf8)), let two = try? JSON(parsing: Array(its.utf8))
        {
            return one.isEqual(to: two)
        }
        guard case .string(let mine) = self, case .string(let its) = other,
            let one = TimeText(Array(mine.utf8)), let two = TimeText(Array(its.utf8))
        else { return false }
        return one.zone != .missing && two.zone != .missing && mine.prefix(19) == its.prefix(19)
    }
}
