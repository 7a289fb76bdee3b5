// Two processes on one PostgreSQL: one is live, the other waits and takes over, however the first one ends. No login is used twice,
// and a process that was frozen changes nothing when it goes on.
import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { after, before, describe, test } from 'node:test'
import {
  type LiveNode,
  type NodeGroup,
  type NodeProcess,
  startGroup,
  TAKEN_OVER,
  untilLive,
} from '../cluster/support/nodes.ts'
import { engines } from '../support/engines.ts'
import {
  api,
  linkedInstance,
  newNumber,
  until,
  untilReceived,
  untilState,
  updatesOf,
  world,
} from '../support/linked.ts'
import { logLines } from '../support/process.ts'

const engine = engines.find(({ name }) => name === 'postgres')

if (engine) {
  describe('a process that waits for another one', () => {
    const friend = newNumber()
    const number = newNumber()
    let group: NodeGroup
    let live: LiveNode
    let name: string
    before(async () => {
      group = await startGroup(engine)
      live = await untilLive(await group.start())
      name = await linkedInstance(live, number)
      await world(live, 'POST /phones', { number: friend })
    })
    after(() => group.stop())

    /** Its address while it waits. */
    const untilWaiting = (node: NodeProcess): Promise<string> =>
      until('a process that waits', async () => {
        const line = logLines(node).find(({ msg }) => String(msg).startsWith('standby:'))
        return line?.['url'] as string | undefined
      })
    async function sendAndReceive(by: LiveNode, text: string): Promise<void> {
      const body = { instanceName: name, number: friend, message: text, delay: 0 }
      const { messageId } = await api(by, 'POST /send/text', body)
      await world(by, `GET /phones/${friend}/messages/${messageId}?waitMs=30000`)
      await world(by, `POST /phones/${friend}/send`, { to: number, text: `re: ${text}` })
      await untilReceived(by, name, `re: ${text}`)
    }

    test('503 for every call but the health check, and no part of the gateway runs', async () => {
      const waiting = await group.start()
      const url = await untilWaiting(waiting)
      const health = await fetch(`${url}/healthz`)
      assert.equal(health.status, 200)
      assert.equal(((await health.json()) as { status: string }).status, 'standby')
      for (const path of ['/readyz', '/api/v1/account/limits', '/']) {
        const answer = await fetch(url + path, { headers: { authorization: `Bearer ${live.key}` } })
        assert.equal(answer.status, 503, path)
        assert.equal(answer.headers.get('retry-after'), '5')
        assert.equal(((await answer.json()) as { reason: string }).reason, 'unavailable')
      }
      await untilState(live, name, 'open')
      assert.equal((await waiting.stop('SIGTERM')).code, 0)
    })

    test('kill -9: the waiting process takes over, and the login goes on', async () => {
      const waiting = await group.start()
      await untilWaiting(waiting)
      await live.stop('SIGKILL')
      live = await untilLive(waiting)
      await untilState(live, name, 'open')
      await sendAndReceive(live, 'after a kill')
    })

    test('a frozen process that goes on after the takeover ends without changing anything', async () => {
      const waiting = await group.start()
      await untilWaiting(waiting)
      const frozen = live
      frozen.child.kill('SIGSTOP')
      live = await untilLive(waiting)
      await untilState(live, name, 'open')
      const updates = await updatesOf(live, name)
      frozen.child.kill('SIGCONT')
      assert.equal((await frozen.exited).code, TAKEN_OVER)
      await sendAndReceive(live, 'after a freeze')
      // A connection that is lost on a busy machine is not a change of the frozen process.
      const after = (await updatesOf(live, name)).slice(updates.length)
      assert.deepEqual(
        after.filter((word) => word !== 'connecting/network_lost' && word !== 'open'),
        [],
      )
      assert.ok(!updates.some((word) => word.includes('replaced')), updates.join(', '))
    })

    test('SIGTERM: the waiting process takes over as soon as the other has ended', async () => {
      const waiting = await group.start()
      await untilWaiting(waiting)
      assert.equal((await live.stop('SIGTERM')).code, 0)
      live = await untilLive(waiting)
      await untilState(live, name, 'open')
      await sendAndReceive(live, 'after a stop')
    })

    test('a process on the data directory of one that was killed does not wait', async () => {
      await live.stop('SIGKILL')
      const next = await group.start({}, live.directory)
      live = await untilLive(next)
      assert.equal(logLines(next).filter(({ msg }) => String(msg).startsWith('standby:')).length, 0)
      await untilState(live, name, 'open')
    })

    test('a waiting process with another master key ends at once with a clear error', async () => {
      const node = await group.start({ MASTER_KEY: randomBytes(32).toString('base64') })
      assert.notEqual((await node.exited).code, 0)
      assert.match(node.stderr(), /MASTER_KEY/)
    })
  })
}
