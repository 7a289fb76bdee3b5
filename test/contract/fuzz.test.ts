// Random requests to every route: none is answered with 500, and every answer matches its schema (promise F2).
import assert from 'node:assert/strict'
import { after, describe, test } from 'node:test'
import fc from 'fast-check'
import { behaviourEngines, isLong } from '../support/behaviour-engines.ts'
import { engines } from '../support/engines.ts'
import { type CallInput, callUnrecorded, type Gateway, startGateway } from '../support/gateway.ts'
import { shared } from './fixture.ts'
import { keyedRoutes, makeThings, sampleCalls } from './sample-calls.ts'

/** The same requests in every run; FUZZ_SEED=<any number> makes others. */
const SEED = Number(process.env.FUZZ_SEED ?? 1)
/** `npm run test:long` makes more than 5,000 requests on SQLite. Most of what they try does not depend on the engine. */
const RUNS_PER_ROUTE = isLong ? { sqlite: 56, postgres: 20 } : { sqlite: 7, postgres: 7 }

type Json = Record<string, unknown> | unknown[]

/** Values that schemas, SQL, JSON and the file system treat in a special way, and arbitrary ones. */
const hostileValue = fc.oneof(
  fc.constantFrom<unknown>(
    null,
    true,
    '',
    ' ',
    0,
    -1,
    1.5,
    1e308,
    Number.MAX_SAFE_INTEGER,
    2 ** 31,
    'null',
    '%',
    "' or 1=1 --",
    '../../etc/passwd',
    '\u0000',
    '\ud800',
    '__proto__',
    '120363000000000000@g.us',
    '2026-02-30T00:00:00.000Z',
    'http://127.0.0.1:1/',
    'x'.repeat(70_000),
    [],
    {},
    [[]],
  ),
  fc.string({ unit: 'binary', maxLength: 40 }),
  fc.jsonValue({ maxDepth: 3 }),
)

/** One change to a valid call. `at` picks the field; the same number always picks the same one. */
const mutation = fc.record({
  at: fc.nat(),
  kind: fc.constantFrom('replace', 'remove', 'add', 'none'),
  value: hostileValue,
})
const headers = fc.record(
  {
    'idempotency-key': fc.string({ unit: fc.constantFrom('a', '7', '-', ' ', '~'), maxLength: 300 }),
    prefer: fc.constantFrom('wait=0', 'wait=-1', 'wait=x', 'respond-async', ';;,='),
  },
  { requiredKeys: [] },
)

const isContainer = (value: unknown): value is Json => typeof value === 'object' && value !== null

/** Every value in the call that can be changed: the container and the key in it. */
function entriesIn(container: Json): [Json, string][] {
  const entries = Object.keys(container).map((key): [Json, string] => [container, key])
  return entries.concat(Object.values(container).filter(isContainer).flatMap(entriesIn))
}

/** An empty or dotted segment would be another path, and half a surrogate pair cannot stand in one. */
const segmentOf = (value: unknown): string => `~${textOf(value)}`.toWellFormed()

/** `String()` would throw for an object with a field `toString`. */
const textOf = (value: unknown): string => (isContainer(value) ? JSON.stringify(value) : String(value))

function mutate(call: CallInput, changes: { at: number; kind: string; value: unknown }[]): CallInput {
  const changed = structuredClone({ params: {}, query: {}, ...call })
  for (const { at, kind, value } of changes) {
    const roots = [changed.query, ...(isContainer(changed.body) ? [changed.body] : [])]
    const entries = [...entriesIn(changed.params), ...roots.flatMap(entriesIn)]
    const [container, key] = entries[at % Math.max(entries.length, 1)] ?? [changed.query, 'extra']
    const target = container as Record<string, unknown>
    if (kind === 'replace') target[key] = withLocation(container, changed, value)
    // A path without one of its parameters is another route.
    if (kind === 'remove' && container !== changed.params) delete target[key]
    if (kind === 'add') {
      const root = roots[at % roots.length] ?? changed.query
      Object.assign(root, { [`extra${at % 3}`]: withLocation(root, changed, value) })
    }
  }
  return changed
}

/** The path and the query hold text; the body holds any value. */
function withLocation(
  container: Json,
  { params, query }: Pick<CallInput, 'params' | 'query'>,
  value: unknown,
): unknown {
  if (container === params) return segmentOf(value)
  return container === query ? textOf(value) : value
}

/** The body of a request that is not an object at all. */
const wholeBody = fc.option(hostileValue, { freq: 12 })

for (const engine of isLong ? engines : behaviourEngines()) {
  describe(`random requests on ${engine.name}, FUZZ_SEED=${SEED}`, () => {
    const gateway = shared<Gateway>(() => startGateway(engine))
    after(async () => (await gateway()).stop())

    for (const { id, title, area } of keyedRoutes) {
      test(`${title} never answers 500`, async () => {
        const running = await gateway()
        const account = await running.account()
        const things = await makeThings(running, account)
        const key = area === 'admin' ? running.app.operatorKey : account.key
        const property = fc.asyncProperty(
          fc.array(mutation, { minLength: 1, maxLength: 3 }),
          headers,
          wholeBody,
          async (changes, extraHeaders, body) => {
            const call = mutate(sampleCalls[id](things), changes)
            const hasBody = call.body !== undefined && body !== null
            const input = { ...call, key, headers: extraHeaders, ...(hasBody ? { body } : {}) }
            const { status } = await callUnrecorded(running.url, id, input)
            assert.ok(status < 500 || status === 502 || status === 503, `answered ${status}`)
          },
        )
        await fc.assert(property, { numRuns: RUNS_PER_ROUTE[engine.name], seed: SEED })
      })
    }
  })
}
