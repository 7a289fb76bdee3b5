// The engines of contract tests, and of flows that show what the gateway does on the network and to its users. The conformance suite proves
// on both engines what they store, so they run on one engine in `npm test`, and on the remaining ones in `npm run test:long`. A long
// test about a kill, a restore, a lock, or a database that fails runs on `engines` instead.
import { type Engine, engines } from './engines.ts'

/** Whether this is `npm run test:long`, for tests that repeat more there. */
export const isLong = process.env.TEST_REMAINING_ENGINES === 'true'

/** For a flow that is the same on every engine. */
export const behaviourEngines = (wanted: Engine['name'] = 'sqlite'): Engine[] =>
  shareOf(
    engines,
    engines.findIndex(({ name }) => name === wanted),
    isLong,
  )

/** For a flow with variants, such as the two ways of naming people: each variant runs on one engine, and each engine has its turn. */
export const behaviourCases = <Variant>(
  variants: readonly Variant[],
): { engine: Engine; variant: Variant }[] =>
  variants.flatMap((variant, turn) => shareOf(engines, turn, isLong).map((engine) => ({ engine, variant })))

/** For tests of which `npm test` leaves nothing to `npm run test:long`. */
export const everyEngine: Engine[] = isLong ? [] : engines

/** For contract tests of an endpoint: its name decides on which engine they run, so that each engine has about half of the endpoints. */
export const endpointEngines = (name: string): Engine[] => {
  const letters = Buffer.from(name).reduce((sum, byte) => sum + byte, 0)
  return shareOf(engines, letters, isLong)
}

/** The one whose turn it is, or all but that one. */
export function shareOf<Each>(all: Each[], turn: number, isRest: boolean): Each[] {
  const chosen = Math.max(turn, 0) % all.length
  return all.filter((_, index) => (index === chosen) !== isRest)
}
