import FileSystem
import FileSystemSimulation
import Model
import Testing

@Suite struct ContractTests {
    @Test(arguments: Contract.all) func `the simulated disk satisfies the contract`(check: Check) throws {
        try check.run(SimulatedGround())
    }

    @Test(arguments: Contract.all) func `the temporary directory satisfies the contract`(check: Check) throws
    {
        try check.run(LinuxGround())
    }

    @Test(arguments: Contract.all) func `tmpfs satisfies the contract`(check: Check) throws {
        try check.run(LinuxGround(in: "/dev/shm"))
    }

    @Test(arguments: Contract.all) func `a kernel without openat2 satisfies the contract`(check: Check) throws
    {
        try check.run(LinuxGround(resolution: .stepwise))
    }
}
