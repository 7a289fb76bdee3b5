// Messages to a group do not ask the network for the group: it is read once, and notices of the network keep it current.
import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { behaviourEngines } from '../support/behaviour-engines.ts'
import type { StoreLocation } from '../support/engines.ts'
import { api, linkedInstance, newNumber, until, world } from '../support/linked.ts'
import { onSharedSandbox } from '../support/shared-sandbox.ts'
import { newKey } from '../support/started.ts'
import { type StartedHere, startHere } from '../support/started-here.ts'

for (const engine of behaviourEngines()) {
  describe(`messages to a group on ${engine.name}`, () => {
    const [owner, bob, carol, dave] = [newNumber(), newNumber(), newNumber(), newNumber()]
    let storeLocation: StoreLocation
    let gateway: StartedHere
    let [line, group] = ['', '']
    before(async () => {
      storeLocation = await engine.createLocation()
      gateway = await startHere(storeLocation, newKey(), await onSharedSandbox())
      for (const number of [bob, carol, dave]) await world(gateway, 'POST /phones', { number })
      line = await linkedInstance(gateway, owner)
      const body = { subject: 'Team', members: [owner, carol], admin: bob }
      group = (await world(gateway, 'POST /groups', body)).group.jid
      await untilMembers(bob, carol, owner)
      await shown(carol, await send('the first message'))
    })
    after(async () => {
      await gateway.stop()
      await storeLocation.dispose()
    })

    /** How often the instance has queried a single group. */
    const queries = async (): Promise<number> => {
      const { phone } = await world(gateway, `GET /phones/${owner}`)
      return phone.devices[0].groupQueries
    }
    const send = async (message: string): Promise<string> => {
      const body = { instanceName: line, groupJid: group, message }
      return (await api(gateway, 'POST /send-group', body)).messageId
    }
    /** Waits until the gateway has stored exactly these members: then it has processed the notice. */
    const untilMembers = (...numbers: string[]) =>
      until(`the members ${numbers.join(', ')}`, async () => {
        const { groups } = await api(gateway, `GET /groups?instanceName=${line}&participants=true`)
        const found = groups.find((each: { groupJid: string }) => each.groupJid === group)
        const phones = found?.participants.map(({ phone }: { phone: string }) => phone) ?? []
        return phones.toSorted().join() === numbers.toSorted().join() ? true : undefined
      })
    const shown = (number: string, id: string) =>
      world(gateway, `GET /phones/${number}/messages/${id}?waitMs=30000`)
    const change = (what: 'add' | 'remove', member: string) =>
      world(gateway, `POST /groups/${group}/members`, { change: what, members: [member] })
    /** How often a phone has requested a message again because it could not decrypt it. */
    const retries = async (number: string): Promise<number> => {
      const { frames } = await world(gateway, `GET /frames?number=${number}&tag=receipt&limit=1000`)
      return frames.filter(({ attributes }: { attributes: { type?: string } }) => attributes.type === 'retry')
        .length
    }

    test('after the first one, none asks for the group', async () => {
      const before = await queries()
      for (let count = 1; count <= 5; count += 1) await shown(carol, await send(`message ${count}`))
      assert.equal(await queries(), before)
    })

    test('a new member reads the next message at once', async () => {
      await change('add', dave)
      await untilMembers(bob, carol, dave, owner)
      const before = await queries()
      const { message } = await shown(dave, await send('welcome'))
      assert.equal(message.text, 'welcome')
      assert.deepEqual([await queries(), await retries(dave)], [before, 0])
    })

    test('a removed member no longer gets messages', async () => {
      await change('remove', carol)
      await untilMembers(bob, dave, owner)
      const before = await queries()
      const id = await send('without Carol')
      await shown(dave, id)
      const { messages } = await world(gateway, `GET /phones/${carol}/messages?limit=100`)
      assert.ok(messages.every((message: { id: string }) => message.id !== id))
      assert.equal(await queries(), before)
    })

    test('a removed account is refused, and can write again when it is back', async () => {
      await change('remove', owner)
      await until('the group is gone', async () => {
        const { groups } = await api(gateway, `GET /groups?instanceName=${line}`)
        return groups.length === 0 ? true : undefined
      })
      const refused = await send('from outside')
      await until('the refusal', async () => {
        const { message } = await api(gateway, `GET /messages/${refused}`)
        return message.status === 'failed' ? true : undefined
      })
      await change('add', owner)
      await untilMembers(bob, dave, owner)
      await shown(dave, await send('back again'))
    })
  })
}
