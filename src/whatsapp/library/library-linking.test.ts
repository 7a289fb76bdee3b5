// What this driver assumes about linking in the installed version of the network library, as library.test.ts does about the rest.
import { describe } from 'node:test'
import { type BinaryNode, hmacSign, initAuthCreds, proto, S_WHATSAPP_NET } from 'baileys'
import { assumeConnected } from '../../../test/support/library-assumptions.ts'
import type { CloseError } from '../linking/close-cause.ts'

const FILE = 'library/pairing-socket.ts'
const node = (tag: string, content?: NonNullable<BinaryNode['content']>, attrs = {}): BinaryNode =>
  content === undefined ? { tag, attrs } : { tag, attrs, content }
const references = node('iq', [node('pair-device', [node('ref', Buffer.from('one'))])], {
  id: 'P1',
  type: 'set',
  from: S_WHATSAPP_NET,
})
/** The library answers it at once. */
const preview = node('ib', [node('offline_preview', undefined)])
const answersPreview = ({ content }: BinaryNode) =>
  Array.isArray(content) && content[0]?.tag === 'offline_batch'

describe('linking', () => {
  assumeConnected(
    'QR codes are shown by the listeners of CB:iq,type:set,pair-device and by nothing else',
    FILE,
    async ({ socket, network }) => {
      const shown: string[] = []
      socket.ev.on('connection.update', ({ qr }) => qr && shown.push(qr))
      socket.ws.removeAllListeners('CB:iq,type:set,pair-device')
      network.send(references)
      network.send(preview)
      await network.received(answersPreview)
      return shown.length === 0 && !network.stanzas.some(({ attrs }) => attrs.id === 'P1')
    },
    { creds: initAuthCreds() },
  )
  assumeConnected(
    'a login is confirmed by the listeners of CB:success and by nothing else',
    FILE,
    async ({ socket, network }) => {
      socket.ws.removeAllListeners('CB:success')
      network.send(node('success', undefined, { t: '1', lid: '1:2@lid' }))
      network.send(preview)
      await network.received(answersPreview)
      return !network.stanzas.some(({ tag }) => tag === 'iq')
    },
    { creds: initAuthCreds() },
  )
  const closed = Promise.withResolvers<CloseError>()
  assumeConnected(
    'the signature of a phone is verified with the creds.advSecretKey of that moment',
    FILE,
    async ({ network, creds }) => {
      creds.advSecretKey = Buffer.alloc(32, 7).toString('base64')
      const details = proto.ADVSignedDeviceIdentity.encode({
        details: Buffer.alloc(0),
        accountSignatureKey: Buffer.alloc(32, 9),
        accountSignature: Buffer.alloc(64),
      }).finish()
      const hmac = hmacSign(Buffer.from(details), Buffer.alloc(32, 7))
      const identity = proto.ADVSignedDeviceIdentityHMAC.encode({ details, hmac }).finish()
      network.send(
        node(
          'iq',
          [
            node('pair-success', [
              node('device-identity', identity),
              node('device', undefined, { jid: '1:1@s.whatsapp.net', lid: '1:1@lid' }),
            ]),
          ],
          { id: 'P2', type: 'set', from: S_WHATSAPP_NET },
        ),
      )
      // The signature of the account comes after the one with the secret.
      return (await closed.promise).message === 'Failed to verify account signature'
    },
    {
      creds: initAuthCreds(),
      onMade: ({ ev }) =>
        ev.on('connection.update', ({ lastDisconnect }) => {
          if (lastDisconnect) closed.resolve(lastDisconnect.error as CloseError)
        }),
    },
  )
  assumeConnected(
    'the answer of a phone to a pairing code is read with the creds.me and creds.pairingCode of that moment',
    FILE,
    async ({ network, creds }) => {
      Object.assign(creds, { me: { id: '5511900000009@s.whatsapp.net', name: '~' }, pairingCode: 'ABCD1234' })
      const answer = node('link_code_companion_reg', [
        node('link_code_pairing_wrapped_primary_ephemeral_pub', Buffer.alloc(80, 5)),
        node('primary_identity_pub', Buffer.alloc(32, 9)),
        node('link_code_pairing_ref', Buffer.from('ref')),
      ])
      network.send(
        node('notification', [answer], { id: 'N1', type: 'link_code_companion_reg', from: S_WHATSAPP_NET }),
      )
      const { content } = await network.received(({ tag, attrs }) => tag === 'iq' && attrs.xmlns === 'md')
      const { stage, jid } = (content as BinaryNode[])[0]?.attrs ?? {}
      return stage === 'companion_finish' && jid === '5511900000009@s.whatsapp.net'
    },
    { creds: initAuthCreds() },
  )
})
