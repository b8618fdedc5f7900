import AgentClient
import BridgeRuntime
import Documents
import Reloads

extension SubscribeCommand {
    func show(in format: BarFormat, on terminal: Terminal) async throws -> CommandStatus {
        let template = try template.map { text throws(BarError) in try LineTemplate(parsing: text) }
        let name = try document.map(documentName)
        let settings = try options.onlyBridge().settings
        let agent = try agentClient(of: settings).throughReloads
        let printed = PrintedLines(format: format, limit: count?.value, terminal: terminal)
        let profile = try await profile(of: agent, settings, printed)
        var known = settings
        known.profile = profile
        if let name { try known.checkName(name) }
        let target = try BarTarget(kind: kind, document: name, template: template, profile)
        try await BarSubscription(agent: agent, target: target, printed: printed).run()
        return .done
    }

    /// Waits for an agent if only that knows the profile.
    private func profile(of agent: AgentClient, _ settings: BridgeSettings, _ printed: PrintedLines)
        async throws -> Profile?
    {
        if let profile = settings.profile { return profile }
        while true {
            do throws(BridgeError) { return try await agent.profile() } catch {
                guard error.mayPass else { throw error }
                let line = BarLine(text: error.what, tooltip: error.words, state: .error)
                _ = printed.print(line, onlyFirst: true)
            }
            try await Task.sleep(for: .seconds(1))
        }
    }
}
