import AgentClient
import BridgeRuntime
import Doctor
import Documents
import FileSystem
import Logging
import Model
import SyncEngine
import Watching

extension BridgeObservation {
    /// Looks at a bridge. Nothing is changed.
    init(of settings: BridgeSettings, _ profile: NamedProfile?) async throws {
        self.init(paths: ExaminedPaths(settings))
        (missingCalls, watchLimit) = (NeededCall.missing, InotifyLimits.watches)
        exchanges = settings.engine.commit == .exchange
        (maxDocument, maxDepth) = (settings.engine.maxDocument, settings.engine.maxDepth)
        self.profile = try ProfileObservation(of: profile)
        agent = await AgentObservation(of: settings, in: paths.state)
        if let state = paths.state { journal = journal(of: settings, in: state) }
        if agent == .absent, paths.problems.isEmpty, !paths.isJournalDamaged, journal == nil,
            self.profile.error == nil
        {
            agent = await AgentObservation(lookingAt: settings)
        }
        stateFileSystem = paths.state.flatMap(FileSystemFacts.init)
        events = paths.state.flatMap(EventQueueTrial.run)
        if case .answered = agent, let state = paths.state {
            hooks = (try? await AgentClient(socketPath: state + "/agent.sock").hookReports()) ?? []
        }
        let rules = DocumentRules(settings.profile, settings.engine, pins: nil)
        lookAtContainers(rules)
        watching = watching(by: settings)
        guard let profile = settings.profile else { return }
        groups = ([profile.group] + profile.otherGroups).filter { !$0.isEmpty }
        stores = Side.allCases.flatMap { side in
            StoreObservation.all(
                of: profile,
                on: side,
                of: settings.stores[side],
                at: paths.containers[side],
                maxDocument: maxDocument,
                isDocument: { rules.isDocument($0) }
            )
        }
    }

    private mutating func lookAtContainers(_ rules: DocumentRules) {
        for side in Side.allCases {
            guard let path = paths.containers[side],
                let files = try? LinuxFileSystem(app: path, group: path, state: path)
            else { continue }
            containers[side] = ContainerObservation(at: path, Root(side), in: files, rules)
        }
    }

    private func journal(of settings: BridgeSettings, in state: String) -> BridgeError? {
        if let error = JournalTrial.lock(in: state) { return error }
        guard agent == .absent, paths.isJournalSound, profile.error == nil else { return nil }
        return JournalTrial.run(settings, in: state)
    }

    /// Two containers that overlap, or of which one is missing, are not watched.
    private func watching(by settings: BridgeSettings) -> WatchingObservation {
        if case .answered = agent { return .byAgent }
        guard !settings.polling, let app = paths.containers.app, let group = paths.containers.group,
            app != group
        else { return .asConfigured }
        return .tried(WatcherTrial.run(BothSides(app: app, group: group), helper: settings.helper))
    }
}

extension AgentObservation {
    /// A stopped agent is not waited for longer than a few seconds.
    private static let patience = Duration.seconds(1)

    fileprivate init(of settings: BridgeSettings, in state: String?) async {
        self = .absent
        guard let state else { return }
        do throws(BridgeError) {
            let identity = try BridgeIdentity(settings)
            let client = AgentClient(
                socketPath: state + "/agent.sock",
                identity: identity,
                patience: Self.patience
            )
            if await client.isReachable() { self = .answered(try await client.status()) }
        } catch {
            self = .refused(error)
        }
    }
}

extension AgentObservation {
    /// Looks at a bridge without an agent as `status` does, with a copy of its journal.
    fileprivate init(lookingAt settings: BridgeSettings) async {
        let logger = Logger(label: "widgetbridge") { _ in SwiftLogNoOpLogHandler() }
        do throws(BridgeError) {
            let bridge = try await Bridge.open(settings, logger: logger, for: .examine)
            do throws(BridgeError) { self = .looked(try await bridge.status()) } catch {
                self = .refused(error)
            }
            await bridge.close()
        } catch {
            self = .refused(error)
        }
    }
}

extension ProfileObservation {
    fileprivate init(of named: NamedProfile?) throws {
        self.init(name: named?.name ?? "")
        guard let named else { return }
        isBuiltIn = named.file == nil
        do throws(ProfileError) {
            let root = try YAMLField.root(of: named.yaml, file: named.place)
            warnings = try named.profile().lint().map { finding in
                let located = LocatedFinding(finding, in: root)
                return Warning(finding, file: located.file, line: located.line)
            }
        } catch {
            self.error = error
        }
    }
}

extension ContainerObservation {
    /// Its documents, and the files whose names only look like those of documents.
    fileprivate init(at path: String, _ root: Root, in files: LinuxFileSystem, _ rules: DocumentRules) {
        let names = rules.profile.map(LookalikeNames.init)
        self.init(at: path, root, in: files) {
            rules.isDocument($0) || names?.name(like: $0.description) != nil
        }
        for index in documents.indices { documents[index].add(rules, names) }
    }
}

extension DocumentObservation {
    /// What the profile says about it.
    fileprivate mutating func add(_ rules: DocumentRules, _ names: LookalikeNames?) {
        limit = rules.rule(for: path).asset?.limit
        isNamed = rules.profile?.named(path.description) != nil
        looksLike = names?.name(like: path.description)
    }
}
