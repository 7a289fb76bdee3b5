// Retries: a device that could not decrypt a message requests it again with new keys, and the sender encrypts it again.
import { encodeBigEndian, extractE2ESessionFromRetryReceipt, KEY_BUNDLE_TYPE, proto } from 'baileys'
import { deviceOf, isSharedJid, jidOf } from '../model/address.ts'
import type { KeyBundle } from '../model/key-bundle.ts'
import { accountByJid, type World } from '../model/world.ts'
import { type Delivery, logFrame } from '../network/delivery.ts'
import { takeBundle } from '../network/key-directory.ts'
import { routeReceipt } from '../network/receipts.ts'
import { routeMessage } from '../network/routing.ts'
import type { RoutingState } from '../network/sandbox-state.ts'
import { findMessage } from '../store/messages.ts'
import type { StoredWorld } from '../store/stored-world.ts'
import { child, nowSeconds, type Stanza, stanza } from '../wire/stanza.ts'
import type { Phone } from './phone.ts'
import { copyForOwnDevice, ownGroupJid } from './send.ts'
import { stanzaType } from './stanza-type.ts'

/** Ends the retries of a message that cannot be decrypted at all. */
const MAX_RETRIES = 5

/** This phone could not decrypt a message: it sends new keys and requests the message again. */
export function requestRetry(state: StoredWorld, phone: Phone, node: Stanza): Delivery[] {
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
  logFrame(state.database, 'in', phone.account.number, 0, receipt)
  return routeReceipt(state, { account: phone.account, device: 0 }, receipt)
}

/** Another device could not decrypt a message of this phone: it gets the message again, encrypted for it alone. */
export async function answerRetry(state: RoutingState, phone: Phone, receipt: Stanza): Promise<Delivery[]> {
  const { id = '', from = '', participant } = receipt.attrs
  const askerJid = participant ?? from
  const asker = accountByJid(state.world, askerJid)
  const device = deviceOf(askerJid)
  const count = child(receipt, 'retry')?.attrs['count'] ?? '1'
  const sent = findMessage(state.database, phone.account.number, id, phone.account.number)
  if (!asker || !sent || Number(count) > MAX_RETRIES) return []
  const jid = jidOf(asker, 'lid', device)
  await renewSession(state, phone, jid, receipt)
  const message = await wrapFor(state.world, phone, sent.chat, asker === phone.account, sent.content)
  const part = await phone.signal.encrypt(jid, message, { count })
  const attributes = isSharedJid(sent.chat)
    ? { to: sent.chat, participant: askerJid }
    : { to: askerJid, recipient: asker === phone.account ? recipientJid(state.world, sent.chat) : undefined }
  const type = stanzaType(proto.Message.decode(sent.content))
  const routed = routeMessage(
    state,
    { account: phone.account, device: 0 },
    stanza('message', { id, type, ...attributes }, [part]),
  )
  return 'deliveries' in routed ? routed.deliveries : []
}

async function renewSession(state: RoutingState, phone: Phone, jid: string, receipt: Stanza): Promise<void> {
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
    : takeBundle(state, jid)
  if (bundle) await phone.signal.startSession(jid, bundle)
}

async function wrapFor(
  world: World,
  phone: Phone,
  chat: string,
  own: boolean,
  content: Uint8Array,
): Promise<proto.IMessage> {
  const message: proto.IMessage = proto.Message.decode(content)
  if (isSharedJid(chat)) {
    // Encrypting an empty message, which is not sent, yields the sender key.
    const { distribution } = await phone.signal.encryptForGroup(chat, ownGroupJid(phone), {})
    return { ...message, senderKeyDistributionMessage: distribution }
  }
  return own ? copyForOwnDevice(message, recipientJid(world, chat)) : message
}

function recipientJid(world: World, number: string): string {
  const person = world.accounts.get(number)
  return person ? jidOf(person, world.addressing) : ''
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
