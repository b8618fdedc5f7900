package import FileSystem
package import Model

extension Location {
    package var side: Side? {
        switch root {
        case .app: .app
        case .group: .group
        case .state: nil
        }
    }
}
