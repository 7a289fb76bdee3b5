// A fault between every two steps of sending and receiving: an error, a hang or a kill (promise A3). `test/flow/failpoints.test.ts` has a
// kill for each direction.
import { describeFaults, type FaultCase } from '../soak/failpoint-cases.ts'
import { isLong } from '../support/behaviour-engines.ts'
import { type Engine, engines } from '../support/engines.ts'
import { type Failing, POINTS } from '../support/failpoints.ts'

/**
 * Each point fails with an error, and with a kill on one engine: the engines take turns, because the seams are the same on both. The run on
 * the remaining engines has the kill on the other engine, and a step that hangs until its process is killed. `npm run soak` kills each
 * engine at every point.
 */
function waysOn(engine: Engine['name'], index: number): Failing[] {
  const isItsTurn = engines[index % engines.length]?.name === engine
  if (isLong) return [isItsTurn ? 'hang' : 'kill']
  const errors: Failing[] = engine === 'sqlite' ? ['throw'] : []
  return isItsTurn ? [...errors, 'kill'] : errors
}
const casesOn = (engine: Engine['name']): FaultCase[] =>
  POINTS.flatMap((point, index) => waysOn(engine, index).map((how) => ({ point, how })))

for (const engine of engines) describeFaults(engine, casesOn(engine.name))
