// A flow that runs on one engine in `npm test` misses none: `npm run test:long` runs it on the others.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { routes } from '../src/contract/routes.ts'
import { endpointEngines, shareOf } from './support/behaviour-engines.ts'
import { engines } from './support/engines.ts'

test('each variant runs on one engine, the engines take turns, and the rest is every other combination', () => {
  const engines = ['sqlite', 'postgres']
  assert.deepEqual(
    [0, 1, 2].map((turn) => shareOf(engines, turn, false)),
    [['sqlite'], ['postgres'], ['sqlite']],
  )
  assert.deepEqual(
    [0, 1, 2].map((turn) => shareOf(engines, turn, true)),
    [['postgres'], ['sqlite'], ['postgres']],
  )
})

test('without the wanted engine the first one is used, and nothing remains', () => {
  const wanted = ['sqlite'].indexOf('postgres')
  assert.deepEqual(shareOf(['sqlite'], wanted, false), ['sqlite'])
  assert.deepEqual(shareOf(['sqlite'], wanted, true), [])
})

test('an endpoint always runs on the same engine, and every engine has endpoints', () => {
  const nameOf = (name: string) => endpointEngines(name).map((engine) => engine.name)
  assert.deepEqual(nameOf('GET /chats'), nameOf('GET /chats'))
  const chosen = Object.values(routes).flatMap(({ method, path }) => nameOf(`${method} ${path}`))
  assert.equal(chosen.length, Object.keys(routes).length)
  for (const { name } of engines)
    assert.ok(
      chosen.filter((each) => each === name).length >= chosen.length / engines.length / 2,
      `${name} has a share`,
    )
})
