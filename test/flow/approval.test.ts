// Sends that wait for a person: nothing is sent before the approval, and a kill at any point loses neither the send nor the decision. The
// owner is asked on the phone once, and only what is written on the phone itself, in the chat with oneself, decides.
import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { openPostgresStore } from '../../src/store/engines/postgres/open.ts'
import { openSqliteStore } from '../../src/store/engines/sqlite/open.ts'
import { behaviourEngines } from '../support/behaviour-engines.ts'
import type { StoreLocation } from '../support/engines.ts'
import { api, linkedInstance, newNumber, until, untilState, world } from '../support/linked.ts'
import { onSharedSandbox } from '../support/shared-sandbox.ts'
import { newKey, type Started, startWithKey } from '../support/started.ts'

interface Shown {
  id: string
  text: string
}

for (const engine of behaviourEngines())
  describe(`sends with approval, on ${engine.name}`, () => {
    const [owner, friend] = [newNumber(), newNumber()]
    let storeLocation: StoreLocation
    let gateway: Started
    let agent = ''
    let name = ''
    before(async () => {
      storeLocation = await engine.createLocation()
      gateway = await startWithKey(storeLocation, newKey(), await onSharedSandbox())
      name = await linkedInstance(gateway, owner)
      await world(gateway, 'POST /phones', { number: friend })
      // As many as the test sends: questions are not counted.
      const body = { name: 'Agent', approval: true, approvalOnPhone: true, messagesPerDay: 4 }
      agent = (await api(gateway, 'POST /api-keys', body)).key
    })
    after(async () => {
      await gateway.stop('SIGKILL')
      await storeLocation.dispose()
    })

    const send = async (message: string): Promise<string> => {
      const body = { instanceName: name, number: friend, message, delay: 0 }
      const answer = await api({ ...gateway, key: agent }, 'POST /send/text', body)
      assert.equal(answer.status, 'awaiting_approval')
      return answer.messageId
    }
    const messageOf = async (id: string) => (await api(gateway, `GET /messages/${id}`)).message
    const status = async (id: string) => (await messageOf(id)).status
    const seenBy = async (phone: string, chat: string): Promise<Shown[]> =>
      (await world(gateway, `GET /phones/${phone}/messages?chat=${chat}&limit=100`)).messages
    const questions = async (about: string): Promise<Shown[]> =>
      (await seenBy(owner, owner)).filter(({ text }) => text.endsWith(`> ${about}`))
    const question = (about: string): Promise<Shown> =>
      until('the question', async () => (await questions(about))[0])
    const codeIn = ({ text }: Shown): string => /"yes (\w+)"/.exec(text)?.[1] ?? ''
    const write = async (from: string, to: string, text: string, quoted?: string): Promise<string> =>
      (await world(gateway, `POST /phones/${from}/send`, { to, text, ...(quoted && { quoted }) })).messageId
    async function killAndRestart(): Promise<void> {
      await gateway.stop('SIGKILL')
      gateway = await startWithKey(storeLocation, gateway.key, await onSharedSandbox())
      await untilState(gateway, name, 'open')
    }

    test('after a kill the send still waits; approved, it is sent once under its id, and a rejected one never', async () => {
      const ids = [await send('approved'), await send('rejected'), await send('by phone')]
      const [approved, rejected, byPhone] = ids as [string, string, string]
      await killAndRestart()
      for (const id of ids) assert.equal(await status(id), 'awaiting_approval')
      const received = await question('by phone')
      assert.match(
        received.text,
        new RegExp(`^Approval: the key "Agent" wants to send \\(text\\) to .*\\+${friend}`),
      )
      await api(gateway, `POST /messages/${rejected}/reject`, { reason: 'no' })
      await api(gateway, `POST /messages/${approved}/approve`)
      await write(owner, owner, `Yes ${codeIn(received).toLowerCase()}`)
      await killAndRestart()
      for (const id of [approved, byPhone])
        await world(gateway, `GET /phones/${friend}/messages/${id}?waitMs=30000`)
      assert.equal(await status(rejected), 'failed')
      const seen = (await seenBy(friend, owner)).map(({ id, text }) => `${id} ${text}`)
      assert.deepEqual(seen.toSorted(), [`${approved} approved`, `${byPhone} by phone`].toSorted())
      assert.equal((await questions('by phone')).length, 1)
    })

    test('on the phone nothing but the chat with oneself decides; a quoted "no" rejects with its reason', async () => {
      const id = await send('second offer')
      const received = await question('second offer')
      const others = [
        await write(friend, owner, `yes ${codeIn(received)}`),
        await write(owner, friend, `yes ${codeIn(received)}`),
        await write(owner, owner, 'yes'),
      ]
      for (const other of others)
        await until('the message', async () =>
          (await api(gateway, `GET /messages?instanceName=${name}&limit=100`)).messages.find(
            ({ messageId }: { messageId: string }) => messageId === other,
          ),
        )
      assert.equal(await status(id), 'awaiting_approval')
      await write(owner, owner, 'no, offer the discount first', received.id)
      await until('the decision', async () => ((await status(id)) === 'failed' ? true : undefined))
      const { failure } = await messageOf(id)
      assert.deepEqual([failure.reason, failure.error], ['rejected', 'offer the discount first'])
    })

    test('the record says which decisions came from the phone', async () => {
      await gateway.stop()
      const hooks = { onCommit: () => undefined, onFatal: () => undefined }
      const { databaseUrl, directory } = storeLocation
      const store = databaseUrl
        ? await openPostgresStore(databaseUrl, hooks)
        : await openSqliteStore(directory, hooks)
      const rows = await store.db.selectFrom('approvals').select(['decision', 'decided_by']).execute()
      await store.close()
      assert.deepEqual(
        rows.map(({ decision, decided_by: by }) => `${decision} by ${by?.replace(/\d+/, 'id')}`).toSorted(),
        ['approved by key:id', 'approved by phone', 'rejected by key:id', 'rejected by phone'],
      )
    })
  })
