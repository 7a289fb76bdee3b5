// The parts of linking that the library does by itself and that are replaced: it shows QR codes from a closed loop, requests a pairing
// code without waiting for the answer, and cannot acknowledge anything before a phone is known.
import { randomBytes } from 'node:crypto'
import {
  aesEncryptCTR,
  type BinaryNode,
  buildPairingQRData,
  bytesToCrockford,
  derivePairingCodeKey,
  getBinaryNodeChild,
  getBinaryNodeChildren,
  getCompanionPlatformId,
  jidEncode,
  proto,
  S_WHATSAPP_NET,
  type WABrowserDescription,
  type WASocket,
} from 'baileys'
import type { AuthState } from './auth-state.ts'
import { type Listener, replaceListeners } from './replace-listeners.ts'

const REFERENCES = 'CB:iq,type:set,pair-device'
const LOGGED_IN = 'CB:success'
const NOTIFICATION = 'CB:notification'
const CODE_PAIRING = 'link_code_companion_reg'
const PHONE_KEY = 'link_code_pairing_wrapped_primary_ephemeral_pub'
const CODE_REFERENCE = 'link_code_pairing_ref'
/** As the network's own web client. */
const MAX_ANSWERS = 3
const CODE_BYTES = 5
const SALT_BYTES = 32
const IV_BYTES = 16

/** A device that is being linked. */
export interface PairingSocket {
  /** The network has issued references for QR codes, which are shown one after the other. */
  onReferences(listener: (references: string[]) => void): void
  /** Only notifications of the network itself, and none of people. */
  onServerNotification(type: string, listener: (stanza: BinaryNode) => void): void
  /** The text of a QR code with this reference and the current secret. */
  qrCode(reference: string): string
  /** With this secret a phone proves that it has read the code. It is in the QR code, or derived with the pairing code. */
  advSecret: Buffer
  readonly publicKeys: { noise: Buffer; identity: Buffer }
  /** A phone has answered the current pairing code. */
  readonly isCodeAnswered: boolean
  /** What kind of client this is, as announced in the handshake. */
  readonly deviceType: number
  /** Asks for a pairing with this number. Rejects when the network refuses. `display` is how the phone calls this client. */
  requestCode(number: string, display: string): Promise<RequestedCode>
}

export interface RequestedCode {
  code: string
  reference: Buffer
}

type Contain = <T>(listener: (stanza: T) => unknown) => (stanza: T) => void
type Socket = Pick<WASocket, 'ws' | 'sendNode' | 'query' | 'generateMessageTag'>

/** The pairing code that was requested last, and how often a phone has answered it. */
interface CodeState {
  reference: Buffer | undefined
  answers: number
}

/**
 * Replaces what the library does by itself. Runs before its listeners are wrapped permanently (contain-errors.ts), and returns the rest,
 * which wraps its own.
 */
export function takeOverPairing(
  socket: Socket,
  { creds }: Pick<AuthState, 'creds'>,
  browser: WABrowserDescription,
): (contain: Contain) => PairingSocket {
  const { ws, sendNode } = socket
  const requested: CodeState = { reference: undefined, answers: 0 }
  ws.removeAllListeners(REFERENCES)
  replaceListeners(ws, LOGGED_IN, (listener) => confirmOnce(creds, listener))
  replaceListeners(ws, NOTIFICATION, (listener) => (stanza) => {
    const notification = stanza as BinaryNode
    const isForLibrary = creds.me !== undefined && !isUselessPairingNews(notification, requested)
    return isForLibrary ? listener(stanza) : sendNode(ackOf(notification))
  })
  return (contain) => createPairingSocket(socket, creds, { browser, contain, requested })
}

function createPairingSocket(
  socket: Socket,
  creds: AuthState['creds'],
  { browser, contain, requested }: { browser: WABrowserDescription; contain: Contain; requested: CodeState },
): PairingSocket {
  const { ws, sendNode } = socket
  return {
    onReferences: (listener) =>
      void ws.on(
        REFERENCES,
        contain(async (stanza: BinaryNode) => {
          await sendNode(resultOf(stanza))
          const references = getBinaryNodeChildren(getBinaryNodeChild(stanza, 'pair-device'), 'ref')
          listener(references.map(textOf))
        }),
      ),
    onServerNotification: (type, listener) =>
      void ws.on(
        `${NOTIFICATION},type:${type}`,
        contain((stanza: BinaryNode) => {
          if (isServer(stanza.attrs.from)) listener(stanza)
        }),
      ),
    qrCode: (reference) =>
      buildPairingQRData(
        reference,
        base64(creds.noiseKey.public),
        base64(creds.signedIdentityKey.public),
        creds.advSecretKey,
        browser,
      ),
    // The library reads it when the phone has signed. An event of the library would also send a presence.
    get advSecret() {
      return Buffer.from(creds.advSecretKey, 'base64')
    },
    set advSecret(secret) {
      creds.advSecretKey = secret.toString('base64')
    },
    get publicKeys() {
      return {
        noise: Buffer.from(creds.noiseKey.public),
        identity: Buffer.from(creds.signedIdentityKey.public),
      }
    },
    get isCodeAnswered() {
      return requested.answers > 0
    },
    deviceType: proto.DeviceProps.PlatformType.CHROME,
    async requestCode(number, display) {
      const answer = await requestCode(socket, creds, { number, display, browser })
      Object.assign(requested, { reference: answer.reference, answers: 0 })
      return answer
    },
  }
}

/**
 * News about a pairing code in which no phone answers the current one. The library takes each of them for the answer. A phone may
 * answer again after a mistake, but not without end: each answer costs a derivation and replaces the secret.
 */
function isUselessPairingNews(notification: BinaryNode, requested: CodeState): boolean {
  if (notification.attrs.type !== CODE_PAIRING) return false
  const news = getBinaryNodeChild(notification, CODE_PAIRING)
  if (!getBinaryNodeChild(news, PHONE_KEY)) return true
  const reference = getBinaryNodeChild(news, CODE_REFERENCE)?.content
  if (!(reference instanceof Uint8Array) || requested.reference?.equals(reference) !== true) return true
  requested.answers += 1
  return requested.answers > MAX_ANSWERS
}

/** The library writes the name of the network as an address without a user, and reads it in either form. */
const isServer = (from: string | undefined): boolean =>
  from === S_WHATSAPP_NET || from === S_WHATSAPP_NET.slice(1)

const resultOf = ({ attrs }: BinaryNode): BinaryNode => ({
  tag: 'iq',
  attrs: { to: S_WHATSAPP_NET, type: 'result', id: attrs.id ?? '' },
})

const ackOf = ({ tag, attrs: { id = '', type, from = S_WHATSAPP_NET } }: BinaryNode): BinaryNode => ({
  tag: 'ack',
  attrs: {
    class: tag,
    id,
    to: isServer(from) ? S_WHATSAPP_NET : from,
    ...(type === undefined ? {} : { type }),
  },
})

const base64 = (bytes: Uint8Array): string => Buffer.from(bytes).toString('base64')

const textOf = ({ content }: BinaryNode): string =>
  typeof content === 'string' ? content : Buffer.from((content as Uint8Array | undefined) ?? []).toString()

interface CodeRequest {
  number: string
  display: string
  browser: WABrowserDescription
}

async function requestCode(
  { query, generateMessageTag }: Pick<WASocket, 'query' | 'generateMessageTag'>,
  creds: AuthState['creds'],
  { number, display, browser }: CodeRequest,
): Promise<RequestedCode> {
  const code = bytesToCrockford(randomBytes(CODE_BYTES))
  const jid = jidEncode(number, 's.whatsapp.net')
  const earlier = { me: creds.me, pairingCode: creds.pairingCode }
  // The library reads both when the phone answers.
  Object.assign(creds, { me: { id: jid, name: '~' }, pairingCode: code })
  const content = (tag: string, value: Uint8Array | string): BinaryNode => ({
    tag,
    attrs: {},
    content: value,
  })
  const hello: BinaryNode = {
    tag: CODE_PAIRING,
    attrs: { jid, stage: 'companion_hello', should_show_push_notification: 'true' },
    content: [
      content(
        'link_code_pairing_wrapped_companion_ephemeral_pub',
        await wrappedKey(code, creds.pairingEphemeralKeyPair.public),
      ),
      content('companion_server_auth_key_pub', creds.noiseKey.public),
      content('companion_platform_id', getCompanionPlatformId(browser)),
      content('companion_platform_display', display),
      content('link_code_pairing_nonce', Buffer.alloc(1)),
    ],
  }
  try {
    const answer = (await query({
      tag: 'iq',
      attrs: { to: S_WHATSAPP_NET, type: 'set', id: generateMessageTag(), xmlns: 'md' },
      content: [hello],
    })) as BinaryNode
    const reference = getBinaryNodeChild(getBinaryNodeChild(answer, CODE_PAIRING), CODE_REFERENCE)
    return { code, reference: Buffer.from((reference?.content as Uint8Array | undefined) ?? []) }
  } catch (error) {
    Object.assign(creds, earlier)
    throw error
  }
}

async function wrappedKey(code: string, publicKey: Uint8Array): Promise<Buffer> {
  const [salt, iv] = [randomBytes(SALT_BYTES), randomBytes(IV_BYTES)]
  return Buffer.concat([salt, iv, aesEncryptCTR(publicKey, await derivePairingCodeKey(code, salt), iv)])
}

// The network may confirm a login before there is one, and confirms it once per connection. The library takes over the account's lid
// from the stanza, also if it has none: it would then encrypt for groups with another key.

const OWN_LID = /^\d{1,20}(?::\d{1,5})?@lid$/

export function confirmOnce(creds: Pick<AuthState['creds'], 'account' | 'me'>, listener: Listener): Listener {
  let isConfirmed = false
  return (stanza) => {
    if (!creds.account || isConfirmed) return undefined
    isConfirmed = true
    const { attrs, ...rest } = stanza as BinaryNode
    const { lid: given = '', ...others } = attrs
    const lid = OWN_LID.test(given) ? given : creds.me?.lid
    return listener({ ...rest, attrs: lid ? { ...others, lid } : others })
  }
}
