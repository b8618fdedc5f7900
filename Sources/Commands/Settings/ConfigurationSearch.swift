import FoundationEssentials
import Glibc

/// The places where a configuration is searched if the command line names none.
struct ConfigurationSearch {
    var environment: [String: String]
    /// The working directory, with symbolic links resolved.
    var directory: String

    static let name = "widgetbridge.yaml"

    static var ofThisProcess: ConfigurationSearch {
        ConfigurationSearch(environment: ProcessInfo.processInfo.environment, directory: withoutLinks("."))
    }

    /// The path in the environment, even if that file is missing; otherwise the first existing file.
    var first: String? {
        if let named = environment["WIDGETBRIDGE_CONFIG"], !named.isEmpty { return named }
        return places.first { unsafe access($0, F_OK) == 0 }
    }

    /// The working directory's file, those of its parents up to the home directory, and the user's. Other
    /// users may write to directories outside the home directory, so there only the working directory counts.
    var places: [String] {
        let home = environment["HOME"].flatMap { $0.hasPrefix("/") ? $0 : nil }
        var directories = [directory]
        if let home = home.map(withoutLinks), directory.hasPrefix(home + "/") {
            var above = directory
            while above != home, let slash = above.lastIndex(of: "/") {
                above = String(above[..<slash])
                directories.append(above)
            }
        }
        let stated = environment["XDG_CONFIG_HOME"].flatMap { $0.hasPrefix("/") ? $0 : nil }
        if let user = stated ?? home.map({ $0 + "/.config" }) { directories.append(user + "/widgetbridge") }
        return directories.map { $0 + "/" + Self.name }
    }
}
