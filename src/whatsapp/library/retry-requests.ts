// Asks for a message that could not be decrypted: its sender with a retry receipt, or the phone of the account. The library's own way
// deletes the session record with the second receipt, forgets the request to the phone when the process ends or the message fails too
// often, and sends nothing for messages between the devices of the account.
import {
  type BinaryNode,
  encodeBigEndian,
  encodeSignedDeviceIdentity,
  getNextPreKeys,
  KEY_BUNDLE_TYPE,
  proto,
  type SignalKeyStoreWithTransaction,
  type WAMessageKey,
  type WASocket,
  xmppPreKey,
  xmppSignedPreKey,
} from 'baileys'
import type { AuthState } from './auth-state.ts'

/** Thrown by a decryption: the library acknowledges the message with an error, and does nothing else about it. */
export class UnreadableMessage extends Error {
  override name = 'UnreadableMessage'
}

/** What the library logs about each part that it could not decrypt, with the error that it caught. */
const DECRYPTION_FAILED = 'failed to decrypt message'

/** Called with each error that the library logs. Throwing here ends its handling of the message. */
export function endUnreadable(first: unknown, text: string | undefined): void {
  const { err } = (text === DECRYPTION_FAILED ? first : {}) as { err?: unknown }
  if (err instanceof UnreadableMessage) throw err
}

/** What the library logs about a message that it gives up, before it acknowledges it with an error. */
const GIVEN_UP = 'error in handling message'

/** The message that the library gives up, in its text form; undefined for other lines. */
export function givenUpMessage(first: unknown, text: string | undefined): string | undefined {
  const { node } = (text === GIVEN_UP ? first : {}) as { node?: unknown }
  return typeof node === 'string' ? node : undefined
}

/** The library sends no retry receipt by itself, and asks the phone for nothing. */
export function disableRetries({ messageRetryManager }: Pick<WASocket, 'messageRetryManager'>): void {
  if (!messageRetryManager) return
  messageRetryManager.hasExceededMaxRetries = () => true
  messageRetryManager.markRetryFailed = () => undefined
}

export interface RetryRequests {
  /** Asks the sender of a stanza to encrypt the message again. `count` is the number of the request, from 1. */
  requestAgain(attrs: BinaryNode['attrs'], count: number): Promise<void>
  /** Asks the phone of the account for messages that this device could not read. */
  requestFromPhone(keys: WAMessageKey[]): Promise<void>
}

const { PLACEHOLDER_MESSAGE_RESEND } = proto.Message.PeerDataOperationRequestType

type RetrySocket = Pick<WASocket, 'sendNode' | 'sendPeerDataOperationMessage' | 'ev'> & {
  authState: { keys: SignalKeyStoreWithTransaction }
}

export function createRetryRequests(socket: RetrySocket, auth: Pick<AuthState, 'creds'>): RetryRequests {
  const { keys } = socket.authState
  return {
    async requestAgain(attrs, count) {
      const { creds } = auth
      // In one transaction, so that the receipt leaves when the key that it offers is stored.
      await keys.transaction(async () => {
        const offered = count > 1 ? [await keyBundle()] : []
        const registration = encodeBigEndian(creds.registrationId)
        await socket.sendNode({
          tag: 'receipt',
          attrs: receiptAttributes(attrs),
          content: [
            { tag: 'retry', attrs: retryAttributes(attrs, count) },
            { tag: 'registration', attrs: {}, content: registration },
            ...offered,
          ],
        })
      }, creds.me?.id ?? 'retry')
    },
    async requestFromPhone(messageKeys) {
      await socket.sendPeerDataOperationMessage({
        placeholderMessageResendRequest: messageKeys.map((messageKey) => ({ messageKey })),
        peerDataOperationRequestType: PLACEHOLDER_MESSAGE_RESEND,
      })
    },
  }

  /** With these keys the sender starts a new session. The present one stays, for messages that are under way. */
  async function keyBundle(): Promise<BinaryNode> {
    const { creds } = auth
    const { update, preKeys } = await getNextPreKeys({ creds, keys }, 1)
    const [id = ''] = Object.keys(preKeys)
    const preKey = preKeys[Number(id)]
    if (!preKey || !creds.account) throw new Error('there is no one-time key to offer')
    socket.ev.emit('creds.update', update)
    return {
      tag: 'keys',
      attrs: {},
      content: [
        { tag: 'type', attrs: {}, content: Buffer.from(KEY_BUNDLE_TYPE) },
        { tag: 'identity', attrs: {}, content: creds.signedIdentityKey.public },
        xmppPreKey(preKey, Number(id)),
        xmppSignedPreKey(creds.signedPreKey),
        { tag: 'device-identity', attrs: {}, content: encodeSignedDeviceIdentity(creds.account, true) },
      ],
    }
  }
}

/** The attributes that lead the receipt back: those of a group, and those of a message between devices of the account. */
const RETURNED = ['participant', 'recipient', 'category'] as const

function receiptAttributes(attrs: BinaryNode['attrs']): BinaryNode['attrs'] {
  const returned = RETURNED.flatMap((name) => (attrs[name] === undefined ? [] : [[name, attrs[name]]]))
  return { id: attrs.id ?? '', type: 'retry', to: attrs.from ?? '', ...Object.fromEntries(returned) }
}

const retryAttributes = ({ id = '', t = '' }: BinaryNode['attrs'], count: number): BinaryNode['attrs'] => ({
  count: String(count),
  id,
  t,
  v: '1',
  error: '0',
})
