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
})
