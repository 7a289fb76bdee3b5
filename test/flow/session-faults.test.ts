// Faults of a session on its sandbox network: each with its state, reason and events, and whether the
// session reconnects.
import assert from 'node:assert/strict'
import { readFile, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { after, before, describe, test } from 'node:test'
import type { NetworkEvent } from '../../src/network/network.ts'
import { openCredentials } from '../../src/receiving/credentials.ts'
import { databaseFile, openSqliteStore } from '../../src/store/engines/sqlite/open.ts'
import { openVault } from '../../src/store/vault.ts'
import { createWhatsAppNetwork } from '../../src/whatsapp/network.ts'
import { withDatabase } from '../support/database.ts'
import { engines, type StoreLocation, temporaryDirectory } from '../support/engines.ts'
import { lateReader } from '../support/late-reader.ts'
import {
  api,
  ask,
  type LinkedGateway,
  linkedInstance,
  newInstance,
  newNumber,
  OPENED,
  SHOWN,
  stateOf,
  until,
  untilReceived,
  untilState,
  untilUpdates,
  updatesOf,
  world,
} from '../support/linked.ts'
import { NO_GUARD } from '../support/no-guard.ts'
import { onOwnSandbox } from '../support/shared-sandbox.ts'
import { SHORT_INTERVALS } from '../support/short-intervals.ts'
import { newKey } from '../support/started.ts'
import { startHere } from '../support/started-here.ts'

const [sqlite] = engines as [(typeof engines)[number]]

let storeLocation: StoreLocation
let gateway: LinkedGateway & { stop(): Promise<unknown> }
/** For all tests of a suite; the suites come one after the other. */
function onGateway(start: () => Promise<typeof gateway>): void {
  before(async () => {
    storeLocation = await sqlite.createLocation()
    gateway = await start()
  })
  after(async () => {
    await gateway.stop()
    await storeLocation.dispose()
  })
}
interface StateData {
  stateReason: string | null
  stateReasonUntil: string
}

const fault = (number: string, kind: string, more: object = {}) =>
  world(gateway, 'POST /faults', { number, kind, ...more })
const phone = async () => {
  const number = newNumber()
  await world(gateway, 'POST /phones', { number })
  return number
}
const refusal = async (call: string, body?: unknown) => {
  const { status, json } = await ask(gateway, call, body)
  return [status, json?.reason]
}

describe('faults that need time', { concurrency: true }, () => {
  onGateway(async () => startHere(storeLocation, newKey(), await onOwnSandbox(), { times: SHORT_INTERVALS }))

  test('an unscanned code: close/qr_expired, the socket is closed, and a request for the image starts a new pairing', async () => {
    const name = await newInstance(gateway)
    const { qr } = await api(gateway, `POST /instance/connect?instanceName=${name}`, {})
    await untilState(gateway, name, 'close/qr_expired')
    assert.deepEqual(await updatesOf(gateway, name), [...SHOWN, 'close/qr_expired'])
    const number = await phone()
    const gone = await refusal(`POST /sandbox/v1/phones/${number}/scan`, { qr: qr.code })
    assert.deepEqual(gone, [410, 'qr_expired'], 'the client that showed it is gone')
    const picture = await ask(gateway, `GET /api/v1/instance/qr/image?instanceName=${name}`)
    assert.equal(picture.status, 200)
    await world(gateway, `POST /phones/${number}/scan`, { instanceName: name })
    await untilState(gateway, name, 'open')
  })

  test('an unused pairing code: close/qr_expired, and the code is invalid', async () => {
    const name = await newInstance(gateway)
    await untilState(gateway, name, 'connecting/awaiting_scan')
    const number = await phone()
    const { pairingCode: code } = await api(gateway, `POST /instance/connect?instanceName=${name}`, {
      number,
    })
    await untilState(gateway, name, 'close/qr_expired')
    const [status] = await refusal(`POST /sandbox/v1/phones/${number}/enter-code`, { code })
    assert.ok(status >= 400 && status < 500, String(status))
    assert.equal(await stateOf(gateway, name), 'close/qr_expired')
    assert.deepEqual(await updatesOf(gateway, name), [
      ...SHOWN,
      // A code to type wants a connection of its own; until the end there is one to scan beside it.
      ...SHOWN,
      'pairing code',
      'qr code',
      'close/qr_expired',
    ])
  })

  test('a socket that is open but dead is detected, and messages written to it arrive later', async () => {
    const number = newNumber()
    const name = await linkedInstance(gateway, number)
    await fault(number, 'silent')
    const friend = await phone()
    await world(gateway, `POST /phones/${friend}/send`, { to: number, text: `into silence ${number}` })
    await untilUpdates(gateway, name, [...SHOWN, ...OPENED, 'connecting/network_lost', 'open'])
    await untilReceived(gateway, name, `into silence ${number}`)
  })

  test('the first message to a group is lost with its connection: the next try gives the members the key again', async () => {
    const number = newNumber()
    const name = await linkedInstance(gateway, number)
    const members = [await phone(), await phone()]
    const group = async (subject: string): Promise<string> =>
      (await world(gateway, 'POST /groups', { admin: number, subject, members })).group.jid
    const send = async (groupJid: string): Promise<string> =>
      (await api(gateway, 'POST /send/text', { instanceName: name, groupJid, message: 'hello', delay: 0 }))
        .messageId
    const arrives = (member: string, messageId: string) =>
      world(gateway, `GET /phones/${member}/messages/${messageId}?waitMs=30000`)
    // Afterwards a message to the other group needs no answer of the network before it leaves.
    const known = await send(await group('known'))
    for (const member of members) await arrives(member, known)
    const next = await group('next')
    await api(gateway, `GET /groups/${next}?instanceName=${name}`)
    await fault(number, 'silent')
    const messageId = await send(next)
    for (const member of members) await arrives(member, messageId)
    for (const member of members) await assertNothingRequestedAgain(member)
  })
})

async function assertNothingRequestedAgain(member: string): Promise<void> {
  const { frames } = await world(gateway, `GET /frames?tag=receipt&number=${member}`)
  const requested = frames.filter(
    ({ direction, attributes }: { direction: string; attributes: Record<string, string> }) =>
      direction === 'in' && attributes['type'] === 'retry',
  )
  assert.deepEqual(requested, [], 'the member could decrypt the messages')
}

describe('faults of a session', { concurrency: 4 }, () => {
  onGateway(async () => startHere(storeLocation, newKey(), await onOwnSandbox()))

  for (const code of [undefined, 503, 515]) {
    test(`disconnected${code ? ` with ${code}` : ''}: the state shows it, and the session reconnects`, async () => {
      const number = newNumber()
      const name = await linkedInstance(gateway, number)
      await fault(number, 'disconnect', code === undefined ? {} : { code })
      await untilUpdates(gateway, name, [...SHOWN, ...OPENED, 'connecting/network_lost', 'open'])
    })
  }

  test('during a reconnect no request gets 404, and accepted sends leave when the session is back', async () => {
    const number = newNumber()
    const name = await linkedInstance(gateway, number)
    const friend = await phone()
    await fault(number, 'refuse', { code: 503 })
    await fault(number, 'disconnect')
    await untilState(gateway, name, 'connecting/network_lost')
    const query = `instanceName=${name}`
    assert.deepEqual(await refusal(`GET /api/v1/check-number?${query}&number=${friend}`), [
      409,
      'instance_not_connected',
    ])
    assert.deepEqual(await refusal(`GET /api/v1/instance/profile-picture?${query}`), [503, 'unavailable'])
    assert.deepEqual(await refusal(`GET /api/v1/instance/qr/image?${query}`), [503, 'qr_not_ready'])
    assert.equal((await ask(gateway, `GET /api/v1/groups?${query}`)).status, 200)
    const body = { instanceName: name, number: friend, message: 'when you are back', delay: 0 }
    const { messageId } = await api(gateway, 'POST /send/text', body)
    await world(gateway, `POST /phones/${friend}/send`, { to: number, text: `meanwhile ${number}` })
    await world(gateway, `DELETE /faults?number=${number}`)
    await untilState(gateway, name, 'open')
    await world(gateway, `GET /phones/${friend}/messages/${messageId}?waitMs=30000`)
    await untilReceived(gateway, name, `meanwhile ${number}`)
  })

  test('a login that the network rejects at the next connect ends like one that the phone unlinked', async () => {
    const number = newNumber()
    const name = await linkedInstance(gateway, number)
    await fault(number, 'refuse', { code: 403 })
    await fault(number, 'disconnect')
    await untilState(gateway, name, 'close/logged_out')
    assert.deepEqual(await updatesOf(gateway, name), [
      ...SHOWN,
      ...OPENED,
      'connecting/network_lost',
      'close/logged_out',
    ])
  })

  test('a temporary ban: close/temporarily_banned with its end, and the session reconnects after it', async () => {
    const number = newNumber()
    const name = await linkedInstance(gateway, number)
    // Longer than a busy machine needs to reconnect: later the network would let it in.
    await fault(number, 'refuse', { code: 402, seconds: 15 })
    const earliest = Date.now()
    await fault(number, 'disconnect')
    // The event log holds the state also where a poll of the state misses it.
    const banned = await until('the ban', async () => {
      const path = `/events?instanceName=${name}&events=connection.update&limit=100`
      const { events } = (await api(gateway, `GET ${path}`)) as { events: { data: StateData }[] }
      return events.find(({ data }) => data.stateReason === 'temporarily_banned')?.data
    })
    assert.ok(Date.parse(banned.stateReasonUntil) > earliest, banned.stateReasonUntil)
    await untilState(gateway, name, 'open')
    assert.deepEqual(await updatesOf(gateway, name), [
      ...SHOWN,
      ...OPENED,
      'connecting/network_lost',
      'close/temporarily_banned',
      ...OPENED,
    ])
  })

  test('an outdated client: close/client_outdated, and the login is kept', async () => {
    const number = newNumber()
    const name = await linkedInstance(gateway, number)
    await fault(number, 'refuse', { code: 405, count: 1 })
    await fault(number, 'disconnect')
    await untilState(gateway, name, 'close/client_outdated')
    await api(gateway, `POST /instance/restart?instanceName=${name}`)
    await untilState(gateway, name, 'open')
  })

  test('a restriction: new chats wait, the instance is open/restricted and still receives messages', async () => {
    const number = newNumber()
    const name = await linkedInstance(gateway, number)
    await fault(number, 'restrict', { seconds: 600 })
    const stranger = await phone()
    const { messageId } = await api(gateway, 'POST /send/text', {
      instanceName: name,
      number: stranger,
      message: 'may I?',
      delay: 0,
    })
    await untilState(gateway, name, 'open/restricted')
    await world(gateway, `POST /phones/${await phone()}/send`, { to: number, text: `still here ${number}` })
    await untilReceived(gateway, name, `still here ${number}`)
    const held = (await api(gateway, `GET /messages/${messageId}`)).message
    assert.deepEqual([['queued', 'sending'].includes(held.status), held.failure], [true, null])

    await fault(number, 'disconnect')
    const restricted = [
      ...SHOWN,
      ...OPENED,
      'open/restricted',
      'connecting/network_lost',
      'open',
      'open/restricted',
    ]
    await untilUpdates(gateway, name, restricted)
    await world(gateway, `DELETE /faults?number=${number}`)
    await untilState(gateway, name, 'open')
    await world(gateway, `GET /phones/${stranger}/messages/${messageId}?waitMs=30000`)
    assert.deepEqual(await updatesOf(gateway, name), [...restricted, 'open'])
  })

  test('a restriction with an end: it ends at the time the network gave, and new chats can be started', async () => {
    const number = newNumber()
    const name = await linkedInstance(gateway, number)
    await fault(number, 'restrict', { seconds: 3 })
    await until('the restriction and its end', async () =>
      (await updatesOf(gateway, name)).slice(-2).join() === 'open/restricted,open' ? true : undefined,
    )
    assert.deepEqual(await updatesOf(gateway, name), [...SHOWN, ...OPENED, 'open/restricted', 'open'])
    const stranger = await phone()
    const body = { instanceName: name, number: stranger, message: 'now I may', delay: 0 }
    const { messageId } = await api(gateway, 'POST /send/text', body)
    await world(gateway, `GET /phones/${stranger}/messages/${messageId}?waitMs=30000`)
  })

  test('a refusal for one recipient does not mark the account as restricted', async () => {
    const number = newNumber()
    const name = await linkedInstance(gateway, number)
    await fault(number, 'reject', { code: 463, count: 1 })
    const body = { instanceName: name, number: await phone(), message: 'may I?', delay: 0 }
    const { messageId } = await api(gateway, 'POST /send/text', body)
    await until('the refusal', async () => {
      const { faults } = (await world(gateway, 'GET /faults')) as {
        faults: { number: string; kind: string }[]
      }
      return faults.some((each) => each.number === number && each.kind === 'reject') ? undefined : true
    })
    assert.equal(await stateOf(gateway, name), 'open')
    // It waits as it would for the end of a restriction: perhaps the network thinks better of it.
    const { message } = await api(gateway, `GET /messages/${messageId}`)
    assert.deepEqual([message.status, message.failure], ['sending', null])
  })

  test('a second login with the same credentials: close/replaced, and the first does not reconnect at once', async () => {
    const number = newNumber()
    const name = await linkedInstance(gateway, number)
    const other = await logInElsewhere(name)
    try {
      await untilState(gateway, name, 'close/replaced')
      const picture = await refusal(`GET /api/v1/instance/qr/image?instanceName=${name}`)
      assert.deepEqual(picture, [503, 'qr_not_ready'])
      assert.equal(await stateOf(gateway, name), 'close/replaced')
      const { instance } = await api(gateway, `GET /instance/state?instanceName=${name}`)
      assert.ok(Date.parse(instance.stateReasonUntil) > Date.now(), 'the time of the last try')
      assert.deepEqual(await updatesOf(gateway, name), [...SHOWN, ...OPENED, 'close/replaced'])
      assert.deepEqual(other.closed, [], 'the other one lives')
    } finally {
      await other.end()
    }
    await api(gateway, `POST /instance/restart?instanceName=${name}`)
    await untilState(gateway, name, 'open')
    assert.deepEqual(await updatesOf(gateway, name), [...SHOWN, ...OPENED, 'close/replaced', ...OPENED])
  })

  /** What another gateway with a copy of the data would do. */
  async function logInElsewhere(name: string) {
    const directory = await temporaryDirectory()
    await withDatabase(storeLocation, (database) => database.rows(`vacuum into '${databaseFile(directory)}'`))
    const store = await openSqliteStore(directory)
    const row = await store.db
      .selectFrom('instances')
      .select(['id', 'fence'])
      .where('api_name', '=', name)
      .executeTakeFirstOrThrow()
    const master = Buffer.from(await readFile(join(storeLocation.directory, 'master-key'), 'utf8'), 'base64')
    const vault = await openVault(store.db, master)
    const { wsUrl, rootPublicKey } = await world(gateway, 'GET /network')
    const network = createWhatsAppNetwork({
      wsUrl,
      rootPublicKey: Buffer.from(rootPublicKey, 'hex'),
      uploadAgent: undefined,
      downloadDispatcher: undefined,
      times: {},
      log: { debug: () => undefined, warn: () => undefined },
    })
    const opened = Promise.withResolvers<void>()
    const closed: NetworkEvent[] = []
    const session = await network.connect({
      credentials: await openCredentials(
        { store, vault, clock: Date.now },
        row.id,
        row.fence,
        NO_GUARD,
        lateReader,
      ),
      findSent: async () => undefined,
      findOriginals: async () => [],
      async onEvent(event) {
        if (event.kind === 'opened') opened.resolve()
        if (event.kind === 'closed') closed.push(event)
      },
    })
    await opened.promise
    return {
      closed,
      async end() {
        await session.close()
        await store.close()
        await rm(directory, { recursive: true })
      },
    }
  }
})
