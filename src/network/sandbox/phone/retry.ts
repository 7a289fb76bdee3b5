/** Retries: a device that could not decrypt asks again, with fresh keys, and the sender encrypts once more. */
import { encodeBigEndian, extractE2ESessionFromRetryReceipt, KEY_BUNDLE_TYPE, proto } from 'baileys'
import { deviceOf, isGroupJid, jidOf } from '../address.ts'
import { type Delivery, logFrame } from '../delivery.ts'
import type { Exchange } from '../exchange.ts'
import { type KeyBundle, takeBundle } from '../key-directory.ts'
import { routeReceipt } from '../receipts.ts'
import { routeMessage } from '../routing.ts'
import { child, nowSeconds, type Stanza, stanza } from '../stanza.ts'
import { findMessage } from '../store/messages.ts'
import { accountByJid } from '../world.ts'
import type { Phone } from './phone.ts'
import { copyForOwnDevice, ownGroupJid } from './send.ts'
import { stanzaType } from './stanza-type.ts'

/** A message that nobody can make readable must not go back and forth for ever. */
const MAX_RETRIES = 5

/** This phone could not decrypt: it sends new keys and asks for the message again. */
export function askAgain(exchange: Exchange, phone: Phone, node: Stanza): Delivery[] {
  const { id = '', from, participant, recipient, t } = node.attrs
  const count = Number(child(node, 'enc')?.attrs['count'] ?? 0) + 1
  if (count > MAX_RETRIES) return []
  const bundle = phone.takeBundle()
  const receipt = stanza(
    'receipt',
    { id, to: from, participant, recipient, type: 'retry', t: nowSeconds() },
    [
      stanza('retry', { count: String(count), id, t, v: '1', error: '0' }),
      stanza('registration', {}, encodeBigEndian(bundle.registrationId)),
      stanza('keys', {}, keyNodes(bundle)),
    ],
  )
  logFrame(exchange, 'in', phone.account.number, 0, receipt)
  return routeReceipt(exchange, { account: phone.account, device: 0 }, receipt)
}

/** Another device could not decrypt what this phone sent: it gets the message anew, alone. */
export async function sendAgain(exchange: Exchange, phone: Phone, receipt: Stanza): Promise<Delivery[]> {
  const { id = '', from = '', participant } = receipt.attrs
  const askerJid = participant ?? from
  const asker = accountByJid(exchange.world, askerJid)
  const device = deviceOf(askerJid)
  const count = child(receipt, 'retry')?.attrs['count'] ?? '1'
  const sent = findMessage(exchange.database, phone.account.number, id, phone.account.number)
  if (!asker || !sent || Number(count) > MAX_RETRIES) return []
  const jid = jidOf(asker, 'lid', device)
  await renewSession(exchange, phone, jid, receipt)
  const message = await wrapFor(exchange, phone, sent.chat, asker === phone.account, sent.content)
  const part = await phone.signal.encrypt(jid, message, { count })
  const attributes = isGroupJid(sent.chat)
    ? { to: sent.chat, participant: askerJid }
    : { to: askerJid, recipient: asker === phone.account ? recipientJid(exchange, sent.chat) : undefined }
  const type = stanzaType(proto.Message.decode(sent.content))
  const routed = routeMessage(
    exchange,
    { account: phone.account, device: 0 },
    stanza('message', { id, type, ...attributes }, [part]),
  )
  return 'deliveries' in routed ? routed.deliveries : []
}

async function renewSession(exchange: Exchange, phone: Phone, jid: string, receipt: Stanza): Promise<void> {
  const offered = extractE2ESessionFromRetryReceipt(receipt)
  const bundle: KeyBundle | undefined = offered
    ? {
        registrationId: offered.registrationId,
        identityKey: offered.identityKey,
        signedPreKey: {
          id: offered.signedPreKey.keyId,
          value: offered.signedPreKey.publicKey,
          signature: offered.signedPreKey.signature,
        },
        preKey: offered.preKey && { id: offered.preKey.keyId, value: offered.preKey.publicKey },
        signedIdentity: undefined,
      }
    : takeBundle(exchange, jid)
  if (bundle) await phone.signal.startSession(jid, bundle)
}

async function wrapFor(
  exchange: Exchange,
  phone: Phone,
  chat: string,
  own: boolean,
  content: Uint8Array,
): Promise<proto.IMessage> {
  const message: proto.IMessage = proto.Message.decode(content)
  if (isGroupJid(chat)) {
    // A message that was never meant for anyone brings the sender key along.
    const { distribution } = await phone.signal.encryptForGroup(chat, ownGroupJid(phone), {})
    return { ...message, senderKeyDistributionMessage: distribution }
  }
  return own ? copyForOwnDevice(message, recipientJid(exchange, chat)) : message
}

function recipientJid(exchange: Exchange, number: string): string {
  const person = exchange.world.accounts.get(number)
  return person ? jidOf(person, exchange.world.addressing) : ''
}

function keyNodes(bundle: KeyBundle): Stanza[] {
  const { signedPreKey, preKey } = bundle
  const pair = (key: { id: number; value: Uint8Array }) => [
    stanza('id', {}, encodeBigEndian(key.id, 3)),
    stanza('value', {}, key.value),
  ]
  return [
    stanza('type', {}, KEY_BUNDLE_TYPE),
    stanza('identity', {}, bundle.identityKey),
    ...(preKey ? [stanza('key', {}, pair(preKey))] : []),
    stanza('skey', {}, [...pair(signedPreKey), stanza('signature', {}, signedPreKey.signature)]),
  ]
}
