// Messages that cannot be processed, and those that stop the event loop (promise B21).
import { describeFatal } from '../soak/fatal-messages.ts'
import { type Engine, engines } from '../support/engines.ts'
import type { BlockedStep } from '../support/failpoints.ts'

const stepsOn = (engine: Engine['name']): BlockedStep[] =>
  engines.length === 1 ? ['decrypt', 'interpret'] : [engine === 'sqlite' ? 'decrypt' : 'interpret']

for (const engine of engines) describeFatal(engine, stepsOn(engine.name))
