// Stops while messages flow (promise A6). `npm run test:long` stops more often, on every engine.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { runStops } from '../soak/repeated-stops.ts'
import { engines } from '../support/engines.ts'

const STOPS = 3

test(`${STOPS} stops while sending: each exits with 0, no message is lost and no session logged out`, () => {
  const [engine] = engines
  assert.ok(engine)
  return runStops(engine, STOPS)
})
