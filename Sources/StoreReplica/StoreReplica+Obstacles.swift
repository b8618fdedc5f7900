import DirectoryReplica
import Model
import Replica
import Stores

/// Obstacles that name the store, which has another name than the document.
extension StoreReplica {
    func storeSignature(of file: RelativePath, isKnown: Bool) throws(ReadObstacle) -> Signature? {
        try named(file) { () throws(ReadObstacle) in try stores.signature(of: file, isKnown: isKnown) }
    }

    func named<Value>(
        _ file: RelativePath,
        _ body: () throws(ReadObstacle) -> Value
    ) throws(ReadObstacle) -> Value {
        do throws(ReadObstacle) { return try body() } catch {
            switch error {
            case .tooLarge(let bytes):
                let limit = Self.maxStoreBytes
                throw .store(StoreProblem(file, .file(.tooLarge(bytes: Int(bytes), limit: limit))))
            case .unreadable(let error): throw .store(StoreProblem(file, .unreadable(error)))
            case .notRegular(let kind):
                throw .store(StoreProblem(file, .unreadable(.notRegular(place(file), kind))))
            default: throw error
            }
        }
    }
}
