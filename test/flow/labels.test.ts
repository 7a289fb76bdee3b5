// Labels: from the API to the phone of the owner, from the phone to the API, and to webhooks of the Evolution dialect.
import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { behaviourCases } from '../support/behaviour-engines.ts'
import type { StoreLocation } from '../support/engines.ts'
import { api, ask, linkedInstance, newNumber, until, world } from '../support/linked.ts'
import { onOwnSandbox } from '../support/shared-sandbox.ts'
import { newKey } from '../support/started.ts'
import { type StartedHere, startHere } from '../support/started-here.ts'

type Json = any // oxlint-disable-line typescript/no-explicit-any -- a test says what it expects of it

const jidOf = (number: string) => `${number}@s.whatsapp.net`

for (const { engine, variant: addressing } of behaviourCases(['pn', 'lid'] as const))
  describe(`labels on ${engine.name} (${addressing})`, () => {
    const [owner, ana] = Array.from({ length: 2 }, newNumber) as [string, string]
    let storeLocation: StoreLocation
    let gateway: StartedHere
    let line = ''
    let early = ''
    before(async () => {
      storeLocation = await engine.createLocation()
      const operator = newKey()
      gateway = await startHere(storeLocation, newKey(), {
        OPERATOR_KEY: operator,
        ...(await onOwnSandbox()),
      })
      await world({ ...gateway, key: operator }, 'POST /network', { addressing })
      for (const number of [owner, ana])
        await world(gateway, 'POST /phones', { number, name: `Phone ${number}` })
      await world(gateway, `PATCH /phones/${owner}`, { business: { category: 'Bakery' } })
      // From before the pairing.
      early = (await world(gateway, `POST /phones/${owner}/labels`, { name: 'Regular', color: 3 })).labelId
      await world(gateway, `POST /phones/${owner}/label-chat`, { chat: ana, labelId: early })
      line = await linkedInstance(gateway, owner)
    })
    after(async () => {
      await gateway.stop()
      await storeLocation.dispose()
    })

    const labels = async (): Promise<Json[]> =>
      (await api(gateway, `GET /labels?instanceName=${line}`)).labels
    const labelsOfAna = async (): Promise<string[]> => {
      const { chats } = await api(gateway, `GET /chats?instanceName=${line}&number=${ana}`)
      return (chats[0]?.labels ?? []).map(({ id }: Json) => id)
    }
    const eventually = <T>(what: string, read: () => Promise<T>, expected: T) =>
      until(what, async () => {
        const found = await read()
        return JSON.stringify(found) === JSON.stringify(expected) ? true : undefined
      })
    const onPhone = async (): Promise<Json[]> => (await world(gateway, `GET /phones/${owner}/labels`)).labels
    const onChatOfPhone = async (): Promise<string[]> => {
      const { chats } = await world(gateway, `GET /phones/${owner}/chats`)
      return chats.find(({ chat }: Json) => chat === ana)?.labels ?? []
    }
    const events = async (): Promise<Json[]> => {
      const names = 'labels.update,labels.association'
      const query = `instanceName=${line}&events=${names}&before=end&limit=100`
      return (await api(gateway, `GET /events?${query}`)).events
    }

    test('labels from before the pairing are known, and cause no event', async () => {
      await eventually('the label', labels, [{ id: early, name: 'Regular', color: 3, chats: 1 }])
      assert.deepEqual(await events(), [])
    })

    test('labels of the API are those of the phone', async () => {
      await world(gateway, `POST /phones/${ana}/send`, { to: owner, text: 'hello' })
      // The label was given under the hidden identifier, if the network uses those.
      await eventually('the chat with its label', labelsOfAna, [early])
      await eventually('the chat on the phone', onChatOfPhone, [early])
      const { label } = await api(gateway, 'POST /labels', {
        instanceName: line,
        name: 'Follow up',
        color: 5,
      })
      assert.deepEqual(label, { id: String(Number(early) + 1), name: 'Follow up', color: 5, chats: 0 })
      const path = `/labels/${label.id}`
      const { chat } = await api(gateway, `POST ${path}/chats`, { instanceName: line, number: ana })
      assert.deepEqual(
        chat.labels.map(({ id }: Json) => id),
        [early, label.id],
      )
      const { chats } = await api(gateway, `GET /chats?instanceName=${line}&label=${label.id}`)
      assert.deepEqual(
        chats.map(({ remoteJid }: Json) => remoteJid),
        [jidOf(ana)],
      )
      await eventually('the label of the chat on the phone', onChatOfPhone, [early, label.id])
      await api(gateway, `PATCH ${path}`, { instanceName: line, name: 'Call back' })
      await eventually('the new name on the phone', async () => (await onPhone())[1]?.name, 'Call back')
      await api(gateway, `DELETE ${path}/chats?instanceName=${line}&chat=${jidOf(ana)}`)
      await eventually('the chat without it on the phone', onChatOfPhone, [early])
      await api(gateway, `DELETE ${path}?instanceName=${line}`)
      await eventually('one label on the phone', async () => (await onPhone()).length, 1)
      assert.equal((await ask(gateway, `DELETE /api/v1${path}?instanceName=${line}`)).status, 404)
      assert.deepEqual(
        (await events())
          .map(({ event, data }) => [event, data.labelId, data.deleted ?? data.labeled])
          .toReversed(),
        [
          ['labels.update', label.id, false],
          ['labels.association', label.id, true],
          ['labels.update', label.id, false],
          ['labels.association', label.id, false],
          ['labels.update', label.id, true],
        ],
      )
    })

    test('what the owner does on the phone is followed', async () => {
      const made = await world(gateway, `POST /phones/${owner}/labels`, { name: 'Paid', color: 7 })
      await eventually('the new label', async () => (await labels()).at(-1)?.name, 'Paid')
      await world(gateway, `POST /phones/${owner}/label-chat`, { chat: ana, labelId: made.labelId })
      await eventually('the label of the chat', labelsOfAna, [early, made.labelId])
      const off = { chat: ana, labelId: early, labeled: false }
      await world(gateway, `POST /phones/${owner}/label-chat`, off)
      await eventually('the chat without the other', labelsOfAna, [made.labelId])
      await world(gateway, `DELETE /phones/${owner}/labels?labelId=${made.labelId}`)
      await eventually('no label of the chat', labelsOfAna, [])
      const [last] = await events()
      assert.deepEqual([last.event, last.data.name, last.data.deleted], ['labels.update', 'Paid', true])
    })

    test('a phone without a business profile makes no labels', async () => {
      const answer = await ask(gateway, `POST /sandbox/v1/phones/${ana}/labels`, { name: 'Mine' })
      assert.deepEqual([answer.status, answer.json.reason], [409, 'not_a_business'])
    })
  })
