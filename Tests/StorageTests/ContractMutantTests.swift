import FileSystemSimulation
import Testing

/// A check that cannot fail proves nothing: here each is made to fail on purpose.
@Suite struct ContractMutantTests {
    @Test(arguments: DoorFault.allCases) func `each faulty file system is detected by a check`(
        fault: DoorFault
    ) {
        let found = Contract.all.filter { Self.catches($0, fault) }
        #expect(!found.isEmpty, "no check sees the fault")
    }

    @Test(arguments: Contract.all) func `each check of the contract detects a faulty file system`(
        check: Check
    ) {
        let found = DoorFault.allCases.filter { Self.catches(check, $0) }
        #expect(!found.isEmpty, "the check sees no fault at all")
    }

    private static func catches(_ check: Check, _ fault: DoorFault) -> Bool {
        do {
            try check.run(FaultyGround(SimulatedGround(), fault))
            return false
        } catch {
            return true
        }
    }
}
