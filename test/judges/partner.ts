// What every foreign client must be able to do as the partner of a gateway: what one writes, the other reads, once and complete.
import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { isLong } from '../support/behaviour-engines.ts'
import { engines, type StoreLocation } from '../support/engines.ts'
import { api, linkedInstance, newNumber, until, world } from '../support/linked.ts'
import { onSharedSandbox } from '../support/shared-sandbox.ts'
import { newKey, type Started, startWithKey } from '../support/started.ts'
import { type Contents, testContents } from './contents.ts'

const [sqlite] = engines as [(typeof engines)[number]]
/** `npm run test:long` writes more of them. */
const EACH_WAY = isLong ? 200 : 60
const AT_ONCE = 20

/** Where the sandbox is, and the root of its certificates, in hex. */
export interface JudgedNetwork {
  wsUrl: string
  rootPublicKey: string
}

export interface Partner extends Contents {
  /** Links the client with the phone that scans its code. Resolves when it has the history. */
  link(network: JudgedNetwork, scan: (qr: string) => Promise<unknown>): Promise<void>
  /** The texts that were received, in their order. */
  texts(): (string | undefined)[]
  untilText(text: string): Promise<unknown>
  /** Ends the connection and keeps the login. */
  disconnect(): Promise<void>
  resume(): Promise<void>
  /** Keeps the login and removes all Signal sessions, as after restoring an old backup. */
  loseSessions(): Promise<void>
  end(): Promise<void>
  errors(): unknown[]
}

export const jidOf = (number: string): string => `${number}@s.whatsapp.net`

export function testPartner(name: string, partner: Partner) {
  describe(name, () => {
    const [own, theirs, third] = [newNumber(), newNumber(), newNumber()]
    let storeLocation: StoreLocation
    let gateway: Started
    let line: string
    before(async () => {
      storeLocation = await sqlite.createLocation()
      gateway = await startWithKey(storeLocation, newKey(), await onSharedSandbox())
      line = await linkedInstance(gateway, own)
      for (const number of [theirs, third]) await world(gateway, 'POST /phones', { number })
      const scan = (qr: string) => world(gateway, `POST /phones/${theirs}/scan`, { qr })
      await partner.link(await world(gateway, 'GET /network'), scan)
    })
    after(async () => {
      await partner.end()
      await gateway?.stop()
      await storeLocation?.dispose()
      assert.deepEqual(partner.errors(), [])
    })

    const send = async (to: object, message: string): Promise<string> =>
      (await api(gateway, 'POST /send/text', { instanceName: line, ...to, message, delay: 0 })).messageId
    const isReceived = (text: string) =>
      until(`"${text}" at the gateway`, async () =>
        (await received(gateway, line)).includes(text) ? true : undefined,
      )

    test(`fresh accounts write ${EACH_WAY} messages each way at once: none is lost, none comes twice`, async () => {
      const texts = (side: string) => Array.from({ length: EACH_WAY }, (_, index) => `${side} ${index}`)
      await Promise.all([
        inTurns(texts('gateway'), (text) => send({ number: theirs }, text)),
        inTurns(texts('partner'), (text) => partner.sendText(jidOf(own), text)),
      ])
      for (const text of texts('gateway')) await partner.untilText(text)
      const atGateway = await until('all messages at the gateway', async () => {
        const all = (await received(gateway, line)).filter((text) => text.startsWith('partner'))
        return all.length >= EACH_WAY ? all : undefined
      })
      assert.deepEqual(atGateway.toSorted(), texts('partner').toSorted())
      const atPartner = partner.texts().filter((text) => text?.startsWith('gateway'))
      assert.deepEqual(atPartner.toSorted(), texts('gateway').toSorted())
    })

    test('what was written while the client was offline arrives when it resumes', async () => {
      await partner.disconnect()
      const texts = Array.from({ length: 10 }, (_, index) => `offline ${index}`)
      for (const text of texts) await send({ number: theirs }, text)
      await partner.resume()
      for (const text of texts) await partner.untilText(text)
    })

    test('a client that has lost its sessions gets the next messages, and is understood', async () => {
      await partner.loseSessions()
      await send({ number: theirs }, 'after the loss')
      await partner.untilText('after the loss')
      await partner.sendText(jidOf(own), 'from a new session')
      await isReceived('from a new session')
    })

    test('messages of a group in both directions', async () => {
      const body = { admin: own, subject: 'Judged', members: [theirs, third] }
      const { jid: groupJid } = (await world(gateway, 'POST /groups', body)).group
      await send({ groupJid }, 'to the group')
      await partner.untilText('to the group')
      await partner.sendText(groupJid, 'from the partner')
      await isReceived('from the partner')
    })

    testContents(() => ({ gateway, line, own, theirs }), partner)
  })
}

async function inTurns(texts: string[], write: (text: string) => Promise<unknown>): Promise<void> {
  for (let index = 0; index < texts.length; index += AT_ONCE)
    await Promise.all(texts.slice(index, index + AT_ONCE).map(write))
}

/** All texts that the gateway has received. */
async function received(gateway: Started, line: string): Promise<string[]> {
  const texts: string[] = []
  for (let page = 1; ; page += 1) {
    const query = `instanceName=${line}&direction=incoming&limit=100&page=${page}`
    const { messages, hasMore } = await api(gateway, `GET /messages?${query}`)
    texts.push(...messages.map(({ content }: { content: { text?: string } }) => content.text ?? ''))
    if (!hasMore) return texts
  }
}
