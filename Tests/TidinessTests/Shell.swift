import Foundation

/// Runs commands as a person would type them, one by one in one shell, and returns the output of each.
struct Shell {
    let directory: URL
    let environment: [String: String]

    func outputs(of commands: [DocumentationPage.Command]) async throws -> [[String]] {
        let script = directory.appending(path: ".script")
        try Data(text(of: commands).utf8).write(to: script)
        let all = try await output(of: "/bin/bash", [script.path], in: directory, environment: environment)
            .text
        let parts = all.components(separatedBy: Self.mark).dropFirst()
        return parts.map { part in
            var lines = part.components(separatedBy: "\n")
            if lines.last?.isEmpty == true { lines.removeLast() }
            return lines
        }
    }

    /// Printed before each command; no command prints it.
    private static let mark = "\u{1E}"

    private func text(of commands: [DocumentationPage.Command]) -> String {
        let steps = commands.map { command in
            "printf '\\x1e'\n" + (command.isInBackground ? inBackground(command) : command.text)
        }
        return """
            exec 2>&1
            processes=()
            trap 'kill "${processes[@]}" 2>/dev/null; wait' EXIT
            \(steps.joined(separator: "\n"))
            """ + "\n"
    }

    /// Starts the command, and returns once it has printed as many lines as the page shows.
    private func inBackground(_ command: DocumentationPage.Command) -> String {
        let name = "line\(command.line)"
        return """
            mkfifo .\(name)
            \(command.text.dropLast(2)) > .\(name) &
            processes+=($!)
            exec {\(name)}< .\(name)
            for ((count = 0; count < \(command.output.count); ++count)); do
                IFS= read -r -t 60 line <&"$\(name)" && printf '%s\\n' "$line"
            done
            """
    }
}
