import ArgumentParser
import BridgeRuntime
import Documents
import Model
import Reloads

struct ReloadsCommand: CommandWithSubcommands {
    static let page = HelpPage(
        name: "reloads",
        abstract: "Show what reloads of widgets have cost, or which widgets would freeze on a phone.",
        discussion: """
            `reloads --kind K` is the same as `reloads show --kind K`.

            budget: the reloads that a system grants a placed widget within any 24 hours,
            40 unless the profile has another `budget`. Each takes a slot, which is free
            again 24 hours later; a reload without a slot waits for the next one.
            exemption: reloads take no slot while `app-state` says that the app is in the
            foreground, plays audio or navigates.
            coalesce: changes within this time, 250 ms by default, are one reload. The
            first after a quiet time is not delayed.
            timeline: what a widget has of its next states. When it ends, the widget asks
            for a reload by itself: after a time or at times of day, as `refresh` of the
            profile says. That takes a slot, too.
            staleness: what is shown is older than the profile's `stale` allows. The state
            of the kind is then `stale` at that very moment, without a reload. Further
            states are `fresh`, `error`, `nodata`, `locked` and `incompatible`.

            The profile's keys are explained in widgetbridge.yaml(5).
            """,
        example: "widgetbridge reloads --app ~/app --group ~/group",
        exits: [(.done, "done"), (.failed, "error, or a widget would freeze"), (.usage, "wrong usage")]
    )

    static let configuration = page.configuration(
        subcommands: [ReloadsShowCommand.self, ReloadsSimulateCommand.self],
        defaultSubcommand: ReloadsShowCommand.self
    )
}

struct ReloadsShowCommand: ReportingCommand, BridgeCommand {
    static let page = HelpPage(
        name: "show",
        abstract: "Show what each kind of widget shows, how many reloads it had, and what waits.",
        discussion: """
            A kind with a budget uses a slot for each reload, in each of its placed widgets;
            the slot is free again after 24 hours. A reload waits until all of them have
            one: a new widget waits with an older one that has none. A line below the table
            names those that a reload waits for.

            `exempt` are reloads that were free, because the app was active; `coalesced`
            are those that another one's reload answered, `invisible` changes that the kind
            does not show, and `delayed` reloads that had to wait for a slot.
            """,
        example: "widgetbridge reloads --kind BudgetWidget --app ~/app --group ~/group",
        exits: [(.done, "shown"), (.failed, "error"), (.usage, "wrong usage, or an unknown kind")]
    )

    @Option(help: "Only this kind of widget.", completion: .kinds)
    var kind: String?

    @OptionGroup var options: ReaderOptions

    @Flag(help: "Print a JSON object.")
    var json = false

    func outcome(on terminal: Terminal) async throws -> Outcome {
        let bridge = try options.onlyBridge()
        let report = try await withBridge(bridge.settings, options.logger, on: terminal, toLook: true) {
            ReloadReport(kinds: try await $0.reloadLedger(of: kind), hooks: try await $0.hookReports())
        }
        return Outcome(report: .ledger(report))
    }
}

struct ReloadsSimulateCommand: ReportingCommand, BridgeCommand {
    static let page = HelpPage(
        name: "simulate",
        abstract: "Simulate a day of an app's widgets, and tell which of them freeze, and when.",
        discussion: """
            The day is that of --profile alone, or with --from-history one of a bridge,
            which the options below `Bridge` name.

            Each kind has one placed widget, whose budget is the profile's, else 40 reloads
            within 24 hours. It asks for reloads as often as `refresh` says. A kind freezes
            when a reload has to wait for a slot and what it shows is stale, or the profile
            does not say when it would be. WAITS FROM is when a reload waits for the first
            time; FITS EVERY is the shortest time between its own reloads with which none
            of them would have to.

            A file of --day has one JSON object on each line. `at` is a time of day, such as
            `08:30` or `08:30:15`, or an RFC 3339 time. Beside it is `document`, and all
            kinds that show it show something new; with `content`, only those that show
            something else of that than before. Or it is `kind`, one kind that does, or
            `app`, what the app does from then on, for `minutes` (10 by default): reloads
            are free during `foreground`, `audio` and `navigation`, and not in `background`.
            A `content` also starts and ends the Live Activities of its elements.
            """,
        example: "widgetbridge reloads simulate --profile todo --budget 72",
        exits: [
            (.done, "no kind freezes"), (.failed, "a kind freezes"),
            (.undecided, "the result cannot be printed"),
            (.usage, "wrong usage, or a profile or a day that is unknown or cannot be read"),
        ],
        unprinted: .undecided
    )

    @Option(
        help: "Grant this many reloads within 24 hours, or `unlimited`, whatever the profile says.",
        transform: ReloadBudget.parsed
    )
    var budget: ReloadBudget?

    @Option(
        help: "What happens on that day, as JSON lines; `-` is standard input. (default: nothing else)",
        completion: .file(extensions: ["jsonl"])
    )
    var day: String?

    @Flag(help: "Simulate the day of the bridge's history on which most of what widgets show has changed.")
    var fromHistory = false

    @Option(
        help: "Print each reload when it is granted, on a clock that is so many times as fast as a real one.",
        transform: PositiveNumber.parsed
    )
    var speed: PositiveNumber?

    @OptionGroup var options: HistoryOptions

    @Flag(help: "Print one JSON object for each kind.")
    var json = false

    func validate() throws {
        if fromHistory, day != nil { throw ValidationError("give --day or --from-history, not both") }
        if !fromHistory, options.address.profile == nil {
            throw ValidationError("give a --profile, or --from-history")
        }
    }

    func outcome(on terminal: Terminal) async throws -> Outcome {
        let profile: Profile
        let day: SimulatedDay
        do {
            (profile, day) = try await fromHistory ? recorded(on: terminal) : described
        } catch {
            return Outcome(failures: [ErrorProse(error).with(.usage)])
        }
        var rules = KindRules.all(of: profile, in: profile.widgetZone.rules)
        if let budget { for index in rules.indices { rules[index].budget = budget } }
        let simulation = ReloadSimulation(profile, rules, day, keepsGrants: speed != nil)
        if let speed {
            let player = GrantPlayer(start: day.start, speed: speed.value, zone: simulation.zone, json: json)
            try await player.play(simulation.grants, on: terminal)
        }
        return Outcome(
            report: .reloads(simulation),
            status: simulation.kinds.contains { $0.day.frozenFrom != nil } ? .failed : .done
        )
    }
}

extension ReloadsSimulateCommand {
    private var described: (Profile, SimulatedDay) {
        get throws {
            let profile = try NamedProfile(options.address.profile ?? "").profile()
            return (profile, try DayFile.day(of: day, profile))
        }
    }

    private func recorded(on terminal: Terminal) async throws -> (Profile, SimulatedDay) {
        let bridge = try options.onlyBridge()
        let (profile, stories) = try await withBridge(
            bridge.settings,
            options.logger,
            on: terminal,
            toLook: true
        ) {
            // An agent has a profile also where none is named here.
            guard let profile = try await $0.profile() else { throw UsageError.noHistory(profile: nil) }
            var stories: [(document: RelativePath, story: DocumentStory)] = []
            for name in try await $0.status().documents.map(\.name) {
                if let path = RelativePath(name) { stories.append((path, try await $0.story(of: path))) }
            }
            return (profile, stories)
        }
        guard let day = HistoryDay.day(of: stories, profile) else {
            throw UsageError.noHistory(profile: profile.id)
        }
        return (profile, day)
    }
}

/// Prints the reloads of a simulated day as a clock reaches them.
private struct GrantPlayer {
    let start: Int64
    let speed: Int
    let zone: TimeZoneRules
    let json: Bool

    func play(_ grants: [ReloadGrant], on terminal: Terminal) async throws {
        let began = ContinuousClock.now
        for grant in grants {
            let due = Duration.milliseconds(grant.at - start) / speed
            try await Task.sleep(until: began + due, clock: .continuous)
            terminal.print(line(grant))
        }
    }

    private func line(_ grant: ReloadGrant) -> String {
        if json {
            let object: JSONText = [
                "at": JSONText(UTCTime.text(grant.at)), "kind": JSONText(grant.kind),
                "cause": JSONText(grant.cause.rawValue), "delayed": JSONText(grant.isDelayed),
            ]
            return "\(object)\n"
        }
        let local = UTCTime.text(grant.at, offset: zone.offset(at: Int(grant.at / 1000)))
        let clock = local.dropFirst("2026-01-18 ".utf8.count).prefix("08:30:00".utf8.count)
        let delayed = grant.isDelayed ? ", after waiting for a slot" : ""
        return "\(clock)  \(grant.kind.withoutControls)  \(grant.cause.rawValue)\(delayed)\n"
    }
}

extension ReloadBudget: WrittenValue {
    static let form = ProfileError.Expected.reloadBudget

    init?(argument: String) { self.init(argument) }
}

/// What becomes of all kinds of a profile on a day.
struct ReloadSimulation {
    struct Kind {
        var day: KindDay
        var budget: ReloadBudget
        /// `nil` if the kind does not refresh by itself, or no refresh fits.
        var fittingMinutes: Int?
    }

    var profile: String
    var zone: TimeZoneRules
    var kinds: [Kind]
    var activities: [LiveActivityRun]
    var grants: [ReloadGrant]

    init(_ profile: Profile, _ rules: [KindRules], _ day: SimulatedDay, keepsGrants: Bool) {
        self.profile = profile.id
        zone = profile.widgetZone.rules
        let simulated = day.simulated(rules, keepsGrants: keepsGrants)
        grants = simulated.grants
        activities = simulated.activities
        kinds = zip(rules, simulated.kinds).map { rules, kindDay in
            Kind(
                day: kindDay,
                budget: rules.budget ?? .standard,
                fittingMinutes: day.fittingMinutes(rules)
            )
        }
    }
}
