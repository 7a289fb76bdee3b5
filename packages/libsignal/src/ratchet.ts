// The double ratchet: each message has a key of its own, and each answer renews the keys.
import { calculateMAC, deriveSecrets } from './crypto.ts'
import { calculateAgreement, generateKeyPair } from './curve.ts'
import { MessageCounterError, SessionError } from './errors.ts'
import type { ChainKey, ReceivingChain, Session } from './session.ts'

export const NO_SALT = Buffer.alloc(32)
/** How many messages may be missing before one that arrives, and how many keys of missing messages are kept. */
const MAX_SKIPPED = 2000
/** Chains of earlier answers whose late messages can still be decrypted. */
const MAX_CHAINS = 20
const RATCHET_INFO = Buffer.from('WhisperRatchet')
const MESSAGE_SEED = Buffer.from([1])
const CHAIN_SEED = Buffer.from([2])

/** Adds a sending chain from our ratchet key and the other side's. */
export function startSending(session: Session): Session {
  const { rootKey, key } = deriveChain(session, session.remoteRatchetKey)
  return { ...session, rootKey, sending: { key, counter: -1 } }
}

/** The key of the next message to send. */
export function nextSendingKey(session: Session): { session: Session; counter: number; messageKey: Buffer } {
  if (!session.sending) throw new SessionError('No sending chain')
  const { chain, messageKey } = advance(session.sending)
  return { session: { ...session, sending: chain }, counter: chain.counter, messageKey }
}

/** The key of a received message. Enters the chain that the message names, if it is new. */
export function receivingKey(
  session: Session,
  ratchetKey: Buffer,
  counter: number,
  previousCounter: number,
): { session: Session; messageKey: Buffer } {
  const entered = findChain(session, ratchetKey) ? session : enterChain(session, ratchetKey, previousCounter)
  const chain = findChain(entered, ratchetKey) as ReceivingChain
  const taken = takeKey(chain, counter)
  return { session: replaceChain(entered, taken.chain), messageKey: taken.messageKey }
}

export const findChain = (session: Session, ratchetKey: Buffer): ReceivingChain | undefined =>
  session.receiving.findLast((chain) => chain.ratchetKey.equals(ratchetKey))

function enterChain(session: Session, wireKey: Buffer, previousCounter: number): Session {
  // A copy: the original is part of the whole message, which it would keep in memory.
  const ratchetKey = Buffer.from(wireKey)
  const last = findChain(session, session.remoteRatchetKey)
  const finished = last ? replaceChain(session, { ...fill(last, previousCounter), key: null }) : session
  const { rootKey, key } = deriveChain(finished, ratchetKey)
  const chain: ReceivingChain = { ratchetKey, key, counter: -1, skipped: new Map() }
  return startSending({
    ...finished,
    rootKey,
    remoteRatchetKey: ratchetKey,
    receiving: [...finished.receiving, chain].slice(-MAX_CHAINS),
    previousCounter: finished.sending ? Math.max(0, finished.sending.counter) : finished.previousCounter,
    ownRatchet: generateKeyPair(),
  })
}

function deriveChain(session: Session, remoteKey: Buffer): { rootKey: Buffer; key: Buffer } {
  const secret = calculateAgreement(remoteKey, session.ownRatchet.privKey)
  const [rootKey, key] = deriveSecrets(secret, session.rootKey, RATCHET_INFO, 2) as [Buffer, Buffer]
  return { rootKey, key }
}

function advance(chain: ChainKey): { chain: ChainKey; messageKey: Buffer } {
  const messageKey = calculateMAC(chain.key, MESSAGE_SEED)
  return { chain: { key: calculateMAC(chain.key, CHAIN_SEED), counter: chain.counter + 1 }, messageKey }
}

/** Derives the keys of all messages up to this number that have not arrived. */
function fill(chain: ReceivingChain, counter: number): ReceivingChain {
  if (counter <= chain.counter) return chain
  if (!chain.key) throw new SessionError('Chain closed')
  if (counter - chain.counter > MAX_SKIPPED) throw new SessionError('Over 2000 messages into the future!')
  const skipped = new Map(chain.skipped)
  let current: ChainKey = { key: chain.key, counter: chain.counter }
  while (current.counter < counter) {
    const step = advance(current)
    skipped.set(step.chain.counter, step.messageKey)
    current = step.chain
  }
  // A Map keeps the order of insertion: the first is the oldest.
  for (const oldest of skipped.keys()) {
    if (skipped.size <= MAX_SKIPPED) break
    skipped.delete(oldest)
  }
  return { ...chain, ...current, skipped }
}

function takeKey(chain: ReceivingChain, counter: number): { chain: ReceivingChain; messageKey: Buffer } {
  if (chain.key && counter === chain.counter + 1) {
    const { chain: next, messageKey } = advance({ key: chain.key, counter: chain.counter })
    return { chain: { ...chain, ...next }, messageKey }
  }
  const filled = fill(chain, counter)
  const messageKey = filled.skipped.get(counter)
  if (!messageKey) throw new MessageCounterError('Key used already or never filled')
  const skipped = new Map(filled.skipped)
  skipped.delete(counter)
  return { chain: { ...filled, skipped }, messageKey }
}

const replaceChain = (session: Session, changed: ReceivingChain): Session => ({
  ...session,
  receiving: session.receiving.map((chain) =>
    chain.ratchetKey.equals(changed.ratchetKey) ? changed : chain,
  ),
})
