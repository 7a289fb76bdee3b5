// Runs after the contract tests: together, their processes have seen every status and reason of every endpoint.
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { statusOf } from '../../src/contract/reasons.ts'
import { fullPath, reasonsOf } from '../../src/contract/route.ts'
import { routes } from '../../src/contract/routes.ts'
import { buildOpenApi } from '../../src/doors/api/openapi.ts'
import { listed } from '../contract/sample-calls.ts'
import { readCoverage } from '../support/contract-coverage.ts'
import { engines } from '../support/engines.ts'

interface Document {
  paths: Record<string, Record<string, { operationId: string; responses: Record<string, unknown> }>>
}

const document = buildOpenApi(Object.values(routes)) as unknown as Document
const { declared, seen } = readCoverage()

/** One process on SQLite can be neither drained nor resumed. */
const hasPostgres = engines.some(({ name }) => name === 'postgres')
const isTestable = (id: string): boolean => hasPostgres || !/^admin(Drain|Resume)Node /.test(id)

describe('the contract tests are complete', () => {
  test('every endpoint has contract tests, and they ran', () => {
    const titles = listed.map(
      (route) => `${route.method} ${route.area === 'api' ? route.path : fullPath(route)}`,
    )
    assert.deepEqual(
      titles.filter((title) => !declared.has(title)),
      [],
    )
  })

  test('every declared status of an endpoint was returned', () => {
    const missing = Object.values(document.paths)
      .flatMap((path) => Object.values(path))
      .flatMap(({ operationId, responses }) =>
        Object.keys(responses).map((status) => `${operationId} ${status}`),
      )
      .filter((pair) => isTestable(pair) && !seen.has(pair))
    assert.deepEqual(missing, [])
  })

  test('every declared reason of an endpoint was returned', () => {
    const missing = listed
      .flatMap((route) => reasonsOf(route).map((reason) => `${route.id} ${statusOf(reason)} ${reason}`))
      .filter((reason) => isTestable(reason) && !seen.has(reason))
    assert.deepEqual(missing, [])
  })
})
