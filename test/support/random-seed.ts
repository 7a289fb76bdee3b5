// One seed for the property tests of a process, which is printed. `RANDOM_SEED` repeats the choices of an earlier run. It has to be
// named before the test files, in a run without isolation of files.
import fc from 'fast-check'

export const seed: number = Number(process.env.RANDOM_SEED ?? Date.now() % 1_000_000)
fc.configureGlobal({ ...fc.readConfigureGlobal(), seed })
process.stdout.write(`RANDOM_SEED=${seed}\n`)
