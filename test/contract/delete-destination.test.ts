// DELETE /destinations/{id}: the connection to its broker ends with it, and with the gateway.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { contract } from '../support/gateway.ts'
import { startHostileServer } from '../support/hostile-server.ts'
import { withInstance } from './fixture.ts'

contract('DELETE /destinations/{id}', (gateway) => {
  const fixture = withInstance(gateway)

  test('200 closes the connection to its broker, also if the broker never answers', async () => {
    const { mine } = await fixture()
    const server = await startHostileServer({})
    try {
      const url = `redis://receiver.test:${server.port}`
      const made = await mine.call('saveDestination', { body: { type: 'redis', url, password: 'secret' } })
      assert.equal(made.status, 200, JSON.stringify(made.json))
      const { id } = made.json.destination
      const tested = mine.call('testDestination', { params: { id } })
      await server.untilConnected()
      const answer = await mine.call('deleteDestination', { params: { id } })
      assert.equal(answer.status, 200)
      const { json } = await tested
      assert.equal(json.delivered, false)
      await server.untilClosed()
    } finally {
      await server.close()
    }
  })
})
