// Scheduled messages are sent at their time, late after a stop, and never when cancelled or expired. Changes of a message that are
// queued when the process is killed are applied once, in their order.
import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { behaviourEngines } from '../support/behaviour-engines.ts'
import { withDatabase } from '../support/database.ts'
import type { StoreLocation } from '../support/engines.ts'
import { api, linkedInstance, newNumber, until, untilState, world } from '../support/linked.ts'
import { onSharedSandbox } from '../support/shared-sandbox.ts'
import { newKey, type Started, startWithKey } from '../support/started.ts'

const soon = (ms: number): string => new Date(Date.now() + ms).toISOString()

interface ShownMessage {
  id: string
  text: string | null
  edited?: boolean
  deleted?: boolean
  reactions?: Record<string, string>
}

for (const engine of behaviourEngines('postgres'))
  describe(`messages that wait when the process ends, on ${engine.name}`, () => {
    const [owner, friend] = [newNumber(), newNumber()]
    let storeLocation: StoreLocation
    let gateway: Started
    let name = ''
    before(async () => {
      storeLocation = await engine.createLocation()
      gateway = await startWithKey(storeLocation, newKey(), await onSharedSandbox())
      name = await linkedInstance(gateway, owner)
      await world(gateway, 'POST /phones', { number: friend })
    })
    after(async () => {
      await gateway.stop('SIGKILL')
      await storeLocation.dispose()
    })

    const accept = (message: string, more: object = {}) =>
      api(gateway, 'POST /send/text', { instanceName: name, number: friend, message, delay: 0, ...more })
    const send = async (message: string, more: object = {}): Promise<string> =>
      (await accept(message, more)).messageId
    const shown = async (id: string): Promise<ShownMessage> =>
      (await world(gateway, `GET /phones/${friend}/messages/${id}?waitMs=30000`)).message
    const chat = async (): Promise<ShownMessage[]> =>
      (await world(gateway, `GET /phones/${friend}/messages?chat=${owner}&limit=100`)).messages
    const message = async (id: string) => (await api(gateway, `GET /messages/${id}`)).message
    const settled = (id: string) =>
      until(`the outcome of ${id}`, async () => {
        const found = await message(id)
        return ['scheduled', 'queued', 'sending'].includes(found.status) ? undefined : found
      })
    async function killAndRestart(): Promise<void> {
      await gateway.stop('SIGKILL')
      gateway = await startWithKey(storeLocation, gateway.key, await onSharedSandbox())
      await untilState(gateway, name, 'open')
    }

    test('a scheduled message is sent when it is due, not before, and behind messages that were queued first', async () => {
      const { messageId: later, status } = await accept('later', { sendAt: soon(5000) })
      assert.equal(status, 'scheduled')
      await shown(await send('now'))
      await shown(later)
      const sent = await settled(later)
      assert.ok(Date.parse(sent.sentAt) >= Date.parse(sent.sendAt), `${sent.sentAt} is before ${sent.sendAt}`)
      assert.equal(sent.late, false)
      assert.deepEqual(
        (await chat()).map(({ text }) => text),
        ['now', 'later'],
      )
    })

    test('a cancelled one is never sent; one that expires before the connection returns fails as expired', async () => {
      const cancelled = await send('cancelled', { sendAt: soon(3000) })
      await api(gateway, `POST /messages/${cancelled}/cancel`)
      await world(gateway, 'POST /faults', { number: owner, kind: 'refuse' })
      await world(gateway, 'POST /faults', { number: owner, kind: 'disconnect' })
      await until('the loss of the connection', async () => {
        const { instance } = await api(gateway, `GET /instance/state?instanceName=${name}`)
        return instance.state === 'open' ? undefined : true
      })
      const expired = await send('expired', { expiresAt: soon(3000) })
      const { failure } = await settled(expired)
      assert.equal(failure.reason, 'expired')
      await world(gateway, `DELETE /faults?number=${owner}`)
      await untilState(gateway, name, 'open')
      const texts = (await chat()).map(({ text }) => text)
      assert.ok(!texts.includes('cancelled') && !texts.includes('expired'), texts.join())
    })

    test('kill -9: a message that was due meanwhile is sent late, a later one stays scheduled', async () => {
      const due = await send('due while down', { sendAt: soon(3_600_000) })
      const far = await send('next year', { sendAt: soon(300 * 24 * 3_600_000) })
      await gateway.stop('SIGKILL')
      // As if the process had been down for two hours.
      await withDatabase(storeLocation, (database) =>
        database.rows(`update messages set send_at = send_at - 7200000 where id = '${due}' returning id`),
      )
      gateway = await startWithKey(storeLocation, gateway.key, await onSharedSandbox())
      await shown(due)
      assert.equal((await settled(due)).late, true)
      assert.equal((await message(far)).status, 'scheduled')
      await api(gateway, `POST /messages/${far}/cancel`)
    })

    test('kill -9 between accept and send: each change is applied once, after the message that it changes', async () => {
      const first = await send('first')
      await shown(first)
      const before = (await chat()).length
      // The typing delay keeps everything behind it in the lane until the process is killed.
      await send('blocker', { delay: 4000 })
      const second = await send('second')
      const pointless = await api(gateway, `POST /messages/${second}/edit`, { message: 'second, edited' })
      const ids = [
        (await api(gateway, `POST /messages/${first}/reaction`, { emoji: '👍' })).messageId,
        (await api(gateway, `POST /messages/${first}/edit`, { message: 'first, edited' })).messageId,
        (await api(gateway, `DELETE /messages/${second}`)).messageId,
        (await api(gateway, `POST /messages/${first}/forward`, { number: friend })).messageId,
      ]
      await killAndRestart()
      for (const id of ids) assert.equal((await settled(id)).failure, null)
      // The deletion was accepted before the edit was sent (decision 0116).
      assert.equal((await settled(pointless.messageId)).failure?.reason, 'target_deleted')
      const changed = await until('all changes', async () => {
        const [one, two] = [await shown(first), await shown(second)]
        return one.edited && two.deleted ? { one, two } : undefined
      })
      assert.deepEqual(
        [changed.one.text, changed.one.reactions, changed.two.text],
        ['first, edited', { [owner]: '👍' }, null],
      )
      // The network accepts a message before the phone shows it.
      await until('the last message', async () => ((await chat()).length >= before + 6 ? true : undefined))
      assert.equal((await chat()).length - before, 6, 'three messages and three changes, each once')
    })
  })
