import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type BinaryNode, initAuthCreds, S_WHATSAPP_NET, type WASocket } from 'baileys'
import { openBareLibrary } from '../../../test/support/bare-library.ts'
import { type PairingSocket, takeOverPairing } from './pairing-socket.ts'

const node = (tag: string, attrs = {}, content?: NonNullable<BinaryNode['content']>): BinaryNode =>
  content === undefined ? { tag, attrs } : { tag, attrs, content }
const REFERENCE = Buffer.from('the reference')
const notification = (id: string, type: string, content: BinaryNode[] = [], from = S_WHATSAPP_NET) =>
  node('notification', { id, type, from, t: '1' }, content)
const hello = (id: string, reference = REFERENCE) =>
  notification(id, 'link_code_companion_reg', [
    node('link_code_companion_reg', { stage: 'primary_hello' }, [
      node('link_code_pairing_wrapped_primary_ephemeral_pub', {}, Buffer.alloc(80, 5)),
      node('primary_identity_pub', {}, Buffer.alloc(32, 9)),
      node('link_code_pairing_ref', {}, reference),
    ]),
  ])
const isAckOf = (id: string) => (stanza: BinaryNode) => stanza.tag === 'ack' && stanza.attrs.id === id

/** A connection of a device that is being linked, to a network that accepts each request. */
async function openConnection(refuses: (stanza: BinaryNode) => boolean = () => false) {
  const creds = initAuthCreds()
  let pairing: PairingSocket | undefined
  const connection = await openBareLibrary({
    creds,
    answer(stanza) {
      if (stanza.tag !== 'iq') return undefined
      const attrs = { id: stanza.attrs.id ?? '', from: S_WHATSAPP_NET }
      if (refuses(stanza))
        return node('iq', { ...attrs, type: 'error' }, [node('error', { code: '400', text: 'bad-request' })])
      const reference = node('link_code_pairing_ref', {}, REFERENCE)
      return node('iq', { ...attrs, type: 'result' }, [node('link_code_companion_reg', {}, [reference])])
    },
    onMade(socket: WASocket) {
      const open = takeOverPairing(socket, { creds }, ['Mac OS', 'Chrome', '1'])
      pairing = open((listener) => (stanza) => void listener(stanza))
    },
  })
  return { ...connection, pairing: pairing as PairingSocket }
}

test('a notification is acknowledged before a phone is known, and only one of the network itself is passed on', async () => {
  const { network, pairing, close } = await openConnection()
  const seen: string[] = []
  pairing.onServerNotification('crsc_continuation', ({ attrs }) => seen.push(attrs.id ?? ''))
  network.send(notification('N1', 'crsc_continuation', [], '5511900000002@s.whatsapp.net'))
  network.send(notification('N2', 'crsc_continuation'))
  const { attrs } = await network.received(isAckOf('N2'))
  assert.deepEqual(attrs, {
    class: 'notification',
    id: 'N2',
    to: S_WHATSAPP_NET,
    type: 'crsc_continuation',
  })
  network.send(notification('N3', 'crsc_continuation', [], 's.whatsapp.net'))
  assert.equal((await network.received(isAckOf('N3'))).attrs.to, S_WHATSAPP_NET)
  assert.deepEqual(seen, ['N2', 'N3'])
  await close()
})

test('references are acknowledged and passed on, and a code has the current secret', async () => {
  const { network, pairing, close } = await openConnection()
  const references = new Promise((resolve) => pairing.onReferences(resolve))
  network.send(
    node('iq', { id: 'P1', type: 'set', from: S_WHATSAPP_NET }, [
      node('pair-device', {}, [node('ref', {}, Buffer.from('one')), node('ref', {}, Buffer.from('two'))]),
    ]),
  )
  assert.deepEqual(await references, ['one', 'two'])
  assert.equal((await network.received(({ attrs }) => attrs.id === 'P1')).attrs.type, 'result')
  const before = pairing.qrCode('one')
  pairing.advSecret = Buffer.alloc(32, 3)
  assert.notEqual(pairing.qrCode('one'), before)
  assert.ok(pairing.qrCode('one').includes(`,${Buffer.alloc(32, 3).toString('base64')},`))
  await close()
})

test('a phone answers the current code at most three times, and an answer to another one is ignored', async () => {
  const { network, pairing, close } = await openConnection()
  await pairing.requestCode('5511900000001', 'Chrome (Mac OS)')
  const finished = () =>
    network.stanzas.filter(
      ({ content }) => Array.isArray(content) && content[0]?.attrs['stage'] === 'companion_finish',
    ).length
  network.send(hello('H0', Buffer.from('another reference')))
  await network.received(isAckOf('H0'))
  assert.deepEqual([finished(), pairing.isCodeAnswered], [0, false])
  for (const id of ['H1', 'H2', 'H3', 'H4']) {
    network.send(hello(id))
    await network.received(isAckOf(id))
  }
  assert.deepEqual([finished(), pairing.isCodeAnswered], [3, true])
  await close()
})

test('a refused request for a code leaves no trace in the login', async () => {
  const { creds, pairing, close } = await openConnection(({ attrs }) => attrs.xmlns === 'md')
  await assert.rejects(pairing.requestCode('5511900000001', 'Chrome (Acme)'))
  assert.deepEqual([creds.me, creds.pairingCode], [undefined, undefined])
  await close()
})

test('a login that is confirmed before there is one is ignored, and a later one is not', async () => {
  const { creds, network, close } = await openConnection()
  const success = node('success', { t: '1', lid: '1:2@lid' })
  const isRequest = ({ tag }: BinaryNode) => tag === 'iq'
  network.send(success)
  network.send(notification('N1', 'server'))
  await network.received(isAckOf('N1'))
  assert.ok(!network.stanzas.some(isRequest))
  Object.assign(creds, { me: { id: '5511900000001:1@s.whatsapp.net', name: 'Ana' }, account: {} })
  network.send(success)
  await network.received(isRequest)
  await close()
})
