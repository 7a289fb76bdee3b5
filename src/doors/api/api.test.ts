import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { fullPath, isFileAnswer, isStreamAnswer, type Route } from '../../contract/route.ts'
import { routes } from '../../contract/routes.ts'
import { API, type ApiDeps, handledRoutes } from './api.ts'

const scopeOf = (route: Route): string => {
  if (route.area === 'api') return route.scopes?.join('|') ?? 'any'
  return route.area === 'admin' ? 'operator' : 'none'
}
const declared: [id: string, route: Route][] = Object.entries(routes)

describe('the API table', () => {
  test('shows method, path and scope of every route as the contract declares them', () => {
    const shown = Object.entries(API).map(([id, [method, path, scope]]) => [id, method, path, scope])
    const expected = declared.map(([id, route]) => [id, route.method, fullPath(route), scopeOf(route)])
    const byId = (rows: (string | undefined)[][]) =>
      rows.toSorted((a, b) => String(a[0]).localeCompare(String(b[0])))
    assert.deepEqual(byId(shown), byId(expected))
  })

  test('has a handler for every route', () => {
    const handled = handledRoutes({ checks: {} } as unknown as ApiDeps)
    assert.equal(handled.length, declared.length)
    for (const { route, handle } of handled) assert.equal(typeof handle, 'function', route.id)
  })

  // The server relies on this when it adds `success: true`.
  test('every JSON answer declares success, except those of the system area', () => {
    for (const [id, route] of declared) {
      const { answer } = route
      if (isFileAnswer(answer) || isStreamAnswer(answer)) continue
      const shape = (answer as unknown as { shape: object }).shape
      assert.equal('success' in shape, route.area !== 'system', id)
    }
  })
})
