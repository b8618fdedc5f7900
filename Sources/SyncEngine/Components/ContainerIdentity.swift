package import FileSystem
package import Model

/// Which directory the container of one side is.
///
/// Its root bears a mark, an extended attribute with a value of its own, which is there again when the
/// container was moved to another disk, restored from a copy or mounted anew; its device and inode are not.
/// Where no mark can be made, these alone tell, and for as long as the directory is open.
///
/// Owns the mark by which the container is known again. It needs the disk and nothing else: who is told of a
/// mark is the caller's affair.
package struct ContainerIdentity: Sendable {
    package static let attribute = "widgetbridge.container"

    package let side: Side
    /// By which the container is known again, and which is kept beyond this run.
    package private(set) var mark: String?
    /// What it bears, and could not be kept yet.
    private var borne: String?

    package init(_ side: Side, mark: String? = nil) {
        self.side = side
        self.mark = mark
    }

    /// What it bears, kept or not. Without one, neither do its files bear marks.
    package var known: String? { mark ?? borne }

    /// What stands at the container's path.
    package enum Standing: Sendable, Hashable {
        case container
        /// The container as another directory; the one that was opened is no more.
        case returned
        /// That of the other side: one directory cannot be both.
        case other
        /// Another directory, told apart from other strangers by these words.
        case stranger(String)
        /// The directory that was opened, but not by its mark; told apart by these words.
        case unmarked(String)
        /// There is no directory.
        case gone
        /// It cannot be told.
        case unreachable(FileError)
    }

    package func standing(in files: any FileSystem) -> Standing {
        do throws(FileError) {
            return try found(in: files)
        } catch .noDirectory {
            return .gone
        } catch {
            return .unreachable(error)
        }
    }

    private func found(in files: any FileSystem) throws(FileError) -> Standing {
        let found = try files.standing(at: Root(side)).signature
        let seen = try bearing(in: files)
        let opened = try? files.status(of: Directory(Root(side))).signature
        let isOpened = opened.map(found.isOf) ?? false
        if isOpened, mark == nil || seen == mark { return .container }
        // While the opened one is still there, this one is a copy of it.
        if isOther(found, in: files) { return .other }
        if opened == nil, seen != nil, seen == mark { return .returned }
        let words = "\(found.device) \(found.inode) \(seen ?? "")"
        return isOpened ? .unmarked(words) : .stranger(words)
    }

    private func isOther(_ found: Signature, in files: any FileSystem) -> Bool {
        (try? files.standing(at: Root(side.other)).signature).map(found.isOf) ?? false
    }

    private func bearing(in files: any FileSystem) throws(FileError) -> String? {
        try files.attribute(Self.attribute, at: Root(side)).map { String(decoding: $0, as: UTF8.self) }
    }

    /// The directory bears no mark yet. One that it bears is taken over, for another bridge may know it by
    /// that.
    package func isUnmarked(in files: any FileSystem) -> Bool {
        (try? bearing(in: files)) == .some(nil)
    }

    /// Some file systems have no marks: only reading it tells whether it is there.
    package func bear(_ mark: String, in files: any FileSystem) {
        try? files.addAttribute(Self.attribute, to: Root(side), Array(mark.utf8))
    }

    /// Reads what it bears, to be kept; `nil` where there is none.
    @discardableResult
    package mutating func read(in files: any FileSystem) -> String? {
        borne = try? bearing(in: files)
        return borne
    }

    /// What it bears is kept.
    package mutating func keep() { mark = borne }

    /// Another directory is the container from now on, whatever it bears.
    package mutating func forget() { (mark, borne) = (nil, nil) }
}
