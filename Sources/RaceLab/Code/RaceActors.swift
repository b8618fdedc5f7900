import Documents
import Model

/// The app, as code on its container.
public struct RaceApp: Sendable {
    fileprivate let actor: ScenarioActor

    /// - Parameters:
    ///   - name: its name in reports.
    ///   - body: what it does; it runs again for every schedule, on any thread, and must do the same each
    ///     time. An error that it throws is a finding.
    public init(_ name: String = "app", does body: @escaping @Sendable (RaceContainer) throws -> Void) {
        actor = ScenarioActor(name: name, kind: .app, code: ActorCode(body))
    }
}

/// A widget, as code on the App Group container.
public struct RaceWidget: Sendable {
    fileprivate let actor: ScenarioActor

    /// - Parameters:
    ///   - name: its name in reports.
    ///   - body: as of ``RaceApp``.
    public init(_ name: String = "widget", does body: @escaping @Sendable (RaceContainer) throws -> Void) {
        actor = ScenarioActor(name: name, kind: .widget, code: ActorCode(body))
    }
}

/// The bridge: the engine of widgetbridge.
public struct RaceAgent: Sendable {
    fileprivate let actor: ScenarioActor

    /// An agent of that name.
    public init(_ name: String = "agent") { actor = ScenarioActor(name: name, kind: .agent) }
}

/// Kills the agent, once, in any of its calls; it is started again.
public struct RaceCrash: Sendable {
    fileprivate let actor: ScenarioActor

    /// - Parameter agent: the name of the agent.
    public init(of agent: String = "agent") {
        let crash = Operation(.crash, target: agent)
        actor = ScenarioActor(
            name: "crash-of-\(agent)",
            kind: .fate,
            operations: [crash]
        )
    }
}

/// One actor, or several.
public struct RaceActors: Sendable {
    fileprivate var actors: [ScenarioActor] = []
}

/// Lists the actors of a ``RaceScenario``.
@resultBuilder
public enum RaceActorsBuilder {
    /// An app.
    public static func buildExpression(_ app: RaceApp) -> RaceActors { RaceActors(actors: [app.actor]) }
    /// A widget.
    public static func buildExpression(_ widget: RaceWidget) -> RaceActors {
        RaceActors(actors: [widget.actor])
    }
    /// A bridge.
    public static func buildExpression(_ agent: RaceAgent) -> RaceActors { RaceActors(actors: [agent.actor]) }
    /// A crash.
    public static func buildExpression(_ crash: RaceCrash) -> RaceActors { RaceActors(actors: [crash.actor]) }
    /// All of them, in their order.
    public static func buildBlock(_ parts: RaceActors...) -> RaceActors {
        RaceActors(actors: parts.flatMap(\.actors))
    }
    /// Those of an `if` without `else`.
    public static func buildOptional(_ part: RaceActors?) -> RaceActors { part ?? RaceActors() }
    /// Those of an `if`.
    public static func buildEither(first part: RaceActors) -> RaceActors { part }
    /// Those of an `else`.
    public static func buildEither(second part: RaceActors) -> RaceActors { part }
    /// Those of a loop.
    public static func buildArray(_ parts: [RaceActors]) -> RaceActors {
        RaceActors(actors: parts.flatMap(\.actors))
    }
}

/// A document of a ``RaceScenario``; from a string literal, one that is in sync at the start.
public struct RaceDocument: Sendable, ExpressibleByStringLiteral {
    fileprivate let name: String
    fileprivate let isThere: Bool
    fileprivate let content: String?

    /// - Parameters:
    ///   - name: its name, such as `budget.json`.
    ///   - content: its JSON text at the start, in both containers; by default an empty object.
    ///   - isThere: whether it exists at the start.
    public init(_ name: String, holding content: String? = nil, isThere: Bool = true) {
        (self.name, self.content, self.isThere) = (name, content, isThere)
    }

    /// By its name.
    public init(stringLiteral name: String) { self.init(name) }
}

/// A scenario cannot be made like that.
public enum RaceScenarioError: Error, CustomStringConvertible {
    /// Not a name of a document, such as `budget.json`, or named twice, or inside another document.
    case document(String)
    /// The content is not JSON.
    case content(of: String)
    /// Two actors have that name.
    case actor(String)
    /// There is no ``RaceAgent``, or none of the name that a ``RaceCrash`` has.
    case noAgent
    /// There is no app and no widget.
    case noProgram
    /// More than 16 actors, or 16 documents.
    case tooMany
    /// There is no document.
    case noDocument
    /// The code of that actor makes no call on its container, so no schedule says anything about it.
    case noCall(of: String)

    /// What is wrong, in one line.
    public var description: String {
        switch self {
        case .document(let name):
            "`\(name)` is not a document such as `budget.json`, or named twice, or inside another"
        case .content(let name): "the content of `\(name)` is not JSON"
        case .actor(let name): "two actors are named `\(name)`"
        case .noAgent: "there is no RaceAgent, or none of the name that a RaceCrash has"
        case .noProgram: "there is neither a RaceApp nor a RaceWidget"
        case .tooMany: "there are more than 16 actors, or more than 16 documents"
        case .noDocument: "there is no document"
        case .noCall(let name): "the code of `\(name)` makes no call on its container"
        }
    }
}

extension RaceScenario {
    /// Actors whose code is Swift.
    ///
    /// - Parameters:
    ///   - documents: the names of the documents, or a ``RaceDocument`` each.
    ///   - name: names saved schedules.
    ///   - evidence: whether the agent learns which program has read and saved what, as it does by default.
    ///   - actors: at least one program and one agent.
    /// - Throws: ``RaceScenarioError``.
    public init(
        documents: [RaceDocument],
        name: String = "scenario",
        evidence: Bool = true,
        @RaceActorsBuilder actors: () -> RaceActors
    ) throws {
        let listed = try documents.map { try $0.parsed() }
        let actors = actors().actors
        scenario = Scenario(name: name, documents: listed, actors: actors, tracksAccess: evidence)
        for (number, document) in listed.enumerated()
        where document.fault(beside: Array(listed[..<number])) != nil {
            throw RaceScenarioError.document(document.path.description)
        }
        for (number, actor) in actors.enumerated()
        where actors[..<number].contains(where: { $0.name == actor.name }) {
            throw RaceScenarioError.actor(actor.name)
        }
        let agents = Set(actors.filter { $0.kind == .agent }.map(\.name))
        let killed = actors.flatMap(\.operations).compactMap(\.target)
        if listed.isEmpty { throw RaceScenarioError.noDocument }
        if agents.isEmpty || !agents.isSuperset(of: killed) { throw RaceScenarioError.noAgent }
        if !actors.contains(where: \.isProgram) { throw RaceScenarioError.noProgram }
        if actors.count > ScenarioLimits.actors || listed.count > ScenarioLimits.documents {
            throw RaceScenarioError.tooMany
        }
    }
}

extension RaceDocument {
    fileprivate func parsed() throws -> ScenarioDocument {
        guard let path = RelativePath(name), isDocument(path), faultOfName(name) == nil else {
            throw RaceScenarioError.document(name)
        }
        if let content, (try? JSON(parsing: Array(content.utf8))) == nil {
            throw RaceScenarioError.content(of: name)
        }
        return ScenarioDocument(path, isThere: isThere, holds: content ?? "{}")
    }
}
