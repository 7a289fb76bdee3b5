// The engines of flows that show what the gateway does on the network and to its users. What a flow stores is proved on both
// engines by the conformance suite and the contract tests, so such a flow runs on one engine in `npm test`, and on the remaining
// ones in `npm run test:long`. A flow about a kill, a restore, a lock, or a database that fails runs on `engines` instead.
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

/** The one whose turn it is, or all but that one. */
export function shareOf<Each>(all: Each[], turn: number, isRest: boolean): Each[] {
  const chosen = Math.max(turn, 0) % all.length
  return all.filter((_, index) => (index === chosen) !== isRest)
}
