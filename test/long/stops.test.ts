// Many stops while messages flow (promise A6).
import { test } from 'node:test'
import { runStops } from '../soak/repeated-stops.ts'
import { engines } from '../support/engines.ts'

const STOPS = 10

for (const engine of engines)
  test(`${STOPS} stops while sending on ${engine.name}: each exits with 0, no message is lost and no session logged out`, () =>
    runStops(engine, STOPS))
