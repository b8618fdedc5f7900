internal import FileSystem
internal import Glibc
internal import Model
internal import Stores

/// A connection that stays open between calls, and the files that it has open.
///
/// It stays open because opening and closing takes ten times as long as reading a row, and because closing
/// is an event of the file: the look that follows would open and close it again.
///
/// Between calls it has no transaction. With a write-ahead log, the library keeps a shared lock for as long
/// as the connection is open: other programs can read and write, but not give up the log.
final class OpenDatabase {
    let connection: Connection
    private let path: String
    /// What is open instead, for who only looks.
    private let copy: DatabaseCopy?
    private var state: DatabaseState
    /// Before it was opened, its log had content.
    let hadLog: Bool
    private(set) var hasLog = false
    /// The log when no program was writing to it: everything in it was visible.
    private(set) var settledLog: Signature?
    /// The last commit failed because a program was reading.
    private var isBeingRead = false

    /// Opens the database that has this state.
    ///
    /// The library takes a path. So the file must be the same before and after opening: a regular file,
    /// reached from the container through no symbolic link.
    init(
        _ file: Location,
        _ state: DatabaseState,
        container: String,
        files: any FileSystem,
        onlyLooks: Bool = false
    ) throws(DatabaseFault) {
        _ = try DatabaseState.signature(beside: file, "-journal", in: files)
        guard let root = unsafe realpath(container, nil) else {
            throw .file(.noDirectory(Directory(file.root)))
        }
        defer { unsafe free(root) }
        let path = unsafe String(cString: root) + "/" + file.path.description
        self.path = path
        let copy = onlyLooks ? try DatabaseCopy(of: file, at: path, in: files) : nil
        self.copy = copy
        connection = try Connection(file, at: copy?.path ?? path)
        self.state = copy?.state ?? state
        hadLog = state.writtenLog != nil
        guard !connection.hasMoved,
            let now = try DatabaseState(of: file, isKnown: true, in: files), now.isOfSameFile(as: state)
        else { throw .changing }
    }

    /// Whether the files in this state are those that it has open. If not, another database has the name, or
    /// a program has deleted the log, whose content then counts no more.
    func isOpen(in now: DatabaseState) -> Bool {
        if copy != nil { return now.database == state.database && now.writtenLog == state.writtenLog }
        guard now.isOfSameFile(as: state) else { return false }
        guard hasLog else { return true }
        guard let log = state.log, let index = state.index, let nowIndex = now.index else { return false }
        return now.log?.isOf(log) == true && nowIndex.isOf(index) && nowIndex.size >= index.size
    }

    /// After a transaction that read the database: with a log, the library has its files open now.
    func remember(_ now: DatabaseState, hasLog: Bool) {
        state = now
        self.hasLog = hasLog
        if !hasLog { settledLog = nil }
    }

    /// Within a transaction that only the reading of others can prevent from being committed.
    ///
    /// Each such failure is an event of `-journal`, which would cause the next attempt at once. So after the
    /// first one the others are tried without that file.
    func commit<Value>(
        _ body: () throws(DatabaseFault) -> Connection.End<Value>
    ) throws(DatabaseFault) -> Value {
        if isBeingRead {
            try connection.transaction(.exclusive) { () throws(DatabaseFault) in .rollback(()) }
        }
        isBeingRead = false
        var hasWritten = false
        do throws(DatabaseFault) {
            return try connection.transaction(.immediate) { () throws(DatabaseFault) in
                let end = try body()
                hasWritten = true
                return end
            }
        } catch {
            isBeingRead = hasWritten && error == .busy && !hasLog
            throw error
        }
    }

    /// Whether the bridge has the right to write to the file now.
    var mayBeWritten: Bool { unsafe access(path, W_OK) == 0 }

    func rememberSettled(_ log: Signature?) { settledLog = log }

    /// As every program does that closes a database last: the log's content goes to the database.
    func close(in now: DatabaseState?) {
        if let now, isOpen(in: now) { connection.setCheckpoints(onClose: true) }
    }
}
