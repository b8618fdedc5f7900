import BridgeRuntime
import Documents
import Model
import Reloads

/// The events of a simulated day, from JSON lines.
struct DayFile {
    private let path: String
    private let profile: Profile
    private let zone: TimeZoneRules

    /// Noon of a Sunday on which no clocks are changed.
    private static let usualDate: Int64 = 1_768_737_600_000
    /// Days whose neighbours RFC 3339 can write as well: those of the years 1 to 9998.
    private static let times: Range<Int64> = -62_135_596_800_000..<253_370_764_800_000

    /// - Parameter path: `nil` for a day on which nothing happens.
    static func day(of path: String?, _ profile: Profile) throws -> SimulatedDay {
        try DayFile(path: path ?? "-", profile: profile).day(path.map { try NamedFile($0).bytes } ?? [])
    }

    private init(path: String, profile: Profile) {
        self.path = path == "-" ? "standard input" : path
        self.profile = profile
        zone = profile.widgetZone.rules
    }

    private func day(_ bytes: [UInt8]) throws -> SimulatedDay {
        let texts = bytes.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
        let lines = try texts.enumerated().compactMap { index, text in
            text.allSatisfy { $0 == 0x20 || $0 == 0x0D || $0 == 0x09 }
                ? nil : try DayLine(Array(text), at: "\(path):\(index + 1)")
        }
        let moments = lines.compactMap { line in line.moment.map { (line, $0) } }
        let first = moments.min { $0.1 < $1.1 }
        if let (line, time) = first, !Self.times.contains(time) { throw line.fault(.noYear) }
        let start = midnight(before: first?.1 ?? Self.usualDate)
        let empty = SimulatedDay(start: start, in: zone)
        return SimulatedDay(start: start, in: zone, try lines.flatMap { try events($0, on: empty) })
    }

    private func midnight(before time: Int64) -> Int64 {
        Int64(zone.midnight(before: Int(time / 1000))) * 1000
    }

    /// When the clocks show a time of day, in seconds since midnight.
    private func moment(_ time: Int, on day: SimulatedDay) -> Int64 {
        // A usual day, on which no clocks are changed.
        if day.end - day.start == 86_400_000 { return day.start + Int64(time) * 1000 }
        return zone.next([time], after: Int(day.start / 1000) - 1).map { Int64($0) * 1000 } ?? .max
    }

    private func events(_ line: DayLine, on day: SimulatedDay) throws -> [SimulatedDay.Event] {
        let at =
            switch line.time {
            case .moment(let time): time
            case .ofDay(let time): moment(time, on: day)
            }
        guard (day.start..<day.end).contains(at) else { throw line.fault(.otherDay) }
        switch line.what {
        case .app(let activity, let minutes):
            return [.init(at: at, .app(activity, for: Int64(minutes) * 60_000))]
        case .kind(let name):
            let rule = profile.documents.first { $0.kinds.contains { $0.name == name } }
            guard let path = rule.flatMap({ RelativePath($0.path) }) else {
                let known = profile.documents.flatMap { $0.kinds.map(\.name) }
                throw line.fault(.unknown("kind", name, known: known))
            }
            return [.init(at: at, .change(kind: name, document: path, to: nil))]
        case .document(let name, let content):
            guard let path = RelativePath(name), let rule = profile.named(name) else {
                throw line.fault(.unknown("document", name, known: profile.documents.map(\.path)))
            }
            let newest = try content.map { try line.newest($0, rule) }
            let changes = rule.kinds.map { kind in
                let setting = WidgetSetting(locale: profile.locale, zone: profile.widgetZone, now: at)
                let settings = kind.settings(like: setting)
                let new = newest.map { Projection(of: $0, in: kind, rule, saved: at, for: settings) }
                return SimulatedDay.Event(at: at, .change(kind: kind.name, document: path, to: new))
            }
            guard let newest else { return changes }
            return changes
                + rule.activities.map { activity in
                    let inputs = activity.inputs(of: newest, zone: rule.zone)
                    return .init(at: at, .elements(inputs, of: activity, document: path))
                }
        }
    }
}

/// One line of a day.
private struct DayLine {
    enum Time {
        /// Seconds since midnight.
        case ofDay(Int)
        /// Milliseconds since 1970.
        case moment(Int64)
    }

    enum What {
        case document(String, JSON?)
        case kind(String)
        case app(AppActivity, minutes: Int)
    }

    let place: String
    let time: Time
    let what: What

    private static let keys = ["at", "document", "content", "kind", "app", "minutes"]

    init(_ text: [UInt8], at place: String) throws {
        self.place = place
        func fault(_ fault: DayLineError.Fault) -> DayLineError { DayLineError(place: place, fault: fault) }
        let values = try Self.values(in: text, fault)
        func word(_ key: String) throws -> String? {
            guard let value = values[key] else { return nil }
            guard case .string(let bytes) = value else { throw fault(.notText(key)) }
            return String(decoding: bytes, as: UTF8.self)
        }
        guard let at = try word("at"), let time = Self.time(at) else { throw fault(.noTime) }
        self.time = time
        for (key, owner) in [("content", "document"), ("minutes", "app")] where values[owner] == nil {
            if values[key] != nil { throw fault(.stray(key, of: owner)) }
        }
        switch (try word("document"), try word("kind"), try word("app")) {
        case (let name?, nil, nil):
            what = .document(
                name,
                try values["content"].map { value in
                    switch value {
                    case .object(let members) where !members.isEmpty: break
                    case .array: break
                    default: throw fault(.noContent)
                    }
                    return try JSON(parsing: value.bytes)
                }
            )
        case (nil, let name?, nil): what = .kind(name)
        case (nil, nil, let name?):
            let known = AppActivity.allCases.map(\.rawValue)
            guard let activity = AppActivity(rawValue: name) else {
                throw fault(.unknown("activity", name, known: known))
            }
            let minutes = values["minutes"].map { $0.integer(Int.self) } ?? 10
            guard let minutes, (1...1440).contains(minutes) else { throw fault(.noMinutes) }
            what = .app(activity, minutes: minutes)
        default: throw fault(.notOne)
        }
    }

    /// By key, each of which is known and given once.
    private static func values(
        in text: [UInt8],
        _ fault: (DayLineError.Fault) -> DayLineError
    ) throws -> [String: JSONValue] {
        let json: JSON
        do throws(JSONError) { json = try JSON(parsing: text) } catch { throw fault(.json(error)) }
        guard case .object(let members) = JSONValue(json) else { throw fault(.noObject) }
        var values: [String: JSONValue] = [:]
        for member in members {
            let key = String(decoding: member.key, as: UTF8.self)
            guard keys.contains(key) else { throw fault(.unknown("key", key, known: keys)) }
            guard values.updateValue(member.value, forKey: key) == nil else { throw fault(.twice(key)) }
        }
        return values
    }

    /// `nil` for a time of day.
    var moment: Int64? { if case .moment(let time) = time { time } else { nil } }

    func fault(_ fault: DayLineError.Fault) -> DayLineError { DayLineError(place: place, fault: fault) }

    /// A document of any version in the newest one.
    func newest(_ document: JSON, _ rule: DocumentRule) throws(JSONFileError) -> JSON {
        switch rule.version(of: document) {
        case .unversioned: return document
        case .newer(let version): throw .newerVersion(place, version)
        case .unreadable(let fault): throw .unreadableVersion(place, fault)
        case .known(let version):
            do throws(DocumentError) {
                return try rule.translate(document, from: version, to: rule.newest ?? version, agreed: nil)
            } catch {
                throw .untranslatable(place, error)
            }
        }
    }

    /// `08:30`, `08:30:15`, or an RFC 3339 time; `nil` for anything else.
    private static func time(_ text: String) -> Time? {
        // The shorter form first, as it is found out sooner.
        if let time = timeOfDay(text) { return .ofDay(time) }
        return UTCTime.milliseconds(rfc3339: text).map { .moment($0) }
    }

    private static func timeOfDay(_ text: String) -> Int? {
        let parts = text.split(separator: ":", omittingEmptySubsequences: false)
        guard (2...3).contains(parts.count), parts.allSatisfy({ $0.utf8.count == 2 }) else { return nil }
        let numbers = parts.compactMap { part in part.utf8.allSatisfy(\.isDigit) ? Int(part) : nil }
        guard numbers.count == parts.count, numbers[0] < 24, numbers.dropFirst().allSatisfy({ $0 < 60 })
        else { return nil }
        return numbers.reduce(0) { $0 * 60 + $1 } * (parts.count == 2 ? 60 : 1)
    }
}

/// A line of a day that cannot be used.
struct DayLineError: ErrorWithProse, Hashable {
    enum Fault: Hashable {
        case json(JSONError)
        case noObject, noTime, noYear, noMinutes, noContent, otherDay
        case twice(String)
        /// A key that belongs to another one, which the line does not have.
        case stray(String, of: String)
        /// Exactly one of `document`, `kind` and `app` is required.
        case notOne
        case notText(String)
        /// What it is, its name, and those that exist.
        case unknown(String, String, known: [String])
    }

    var place: String
    var fault: Fault
}

extension DayLineError {
    var prose: ErrorProse {
        if case .unknown(_, let name, let known) = fault {
            let advice = "there are \(known.joined(separator: ", "))"
            var prose = ErrorProse(fault.text, at: place, advice, .usage)
            prose.suggestion = nearestWord(to: name, among: known)
            return prose
        }
        return ErrorProse(fault.text, at: place, "correct it there", .usage)
    }
}

extension DayLineError.Fault {
    fileprivate var text: String {
        switch self {
        case .json(let error): "not JSON: \(error.reason)"
        case .noObject: "expected a JSON object"
        case .noTime: "expected `at` with a time such as `08:30`, `08:30:15` or `2026-01-18T08:30:00Z`"
        case .noYear: "expected a day of the years 1 to 9998"
        case .noMinutes: "expected `minutes` from 1 to 1440"
        case .noContent: "expected an object with members, or an array, as `content`"
        case .otherDay: "the time is not within the first one's day"
        case .twice(let key): "`\(key)` is given twice"
        case .stray(let key, let owner): "`\(key)` needs `\(owner)`"
        case .notOne: "expected one of `document`, `kind` and `app`"
        case .notText(let key): "expected text for `\(key)`"
        case .unknown(let what, let name, _): "unknown \(what) `\(name)`"
        }
    }
}
