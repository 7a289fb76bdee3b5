import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { isFileAnswer, isStreamAnswer, type Route } from '../../contract/route.ts'
import { routes } from '../../contract/routes.ts'
import { type ApiDeps, handledRoutes } from './api.ts'

const declared: [id: string, route: Route][] = Object.entries(routes)

describe('the API', () => {
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

  // A restriction that is too wide for its endpoint lets a key reach what its walls exclude.
  test('what every key with walls may call is known by name, and no deletion or replacement is among it', () => {
    const named = (fits: (route: Route) => boolean): string[] =>
      declared
        .filter(([, route]) => route.area === 'api' && fits(route))
        .map(([id]) => id)
        .sort()
    assert.deepEqual(
      named(({ wall }) => wall === 'open'),
      ['currentApiKey', 'listQuickReplies', 'listUsers', 'uploadMedia'],
    )
    assert.deepEqual(
      named(({ wall, method }) => wall === 'list' && method !== 'GET'),
      ['cancelMessages'],
    )
    const readsOnly = new Set(['open', 'list', 'instance', 'counts'])
    assert.deepEqual(
      named(({ wall = '', method }) => /DELETE|PATCH|PUT/.test(method) && readsOnly.has(wall)),
      [],
    )
  })
})
