// The double ratchet: each message has a key of its own, and each answer renews the keys.
import { MAX_NUMBER } from './bytes.ts'
import { calculateMAC, deriveSecrets } from './crypto.ts'
import { calculateAgreement, generateKeyPair } from './curve.ts'
import { MessageCounterError, SessionError } from './errors.ts'
import type { ChainKey, ReceivingChain, Session } from './session.ts'

export const NO_SALT = Buffer.alloc(32)
/** How many messages may be missing before one that arrives, and how many keys of missing messages are kept. */
export const MAX_SKIPPED = 2000
/** Chains of earlier answers whose late messages can still be decrypted. */
export const MAX_CHAINS = 5
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
  const chain = nextKey(session.sending)
  if (chain.counter >= MAX_NUMBER) throw new SessionError('Chain is too long')
  const messageKey = calculateMAC(session.sending.key, MESSAGE_SEED)
  return { session: { ...session, sending: chain }, counter: chain.counter, messageKey }
}

/** The steps along chains that one message may cost, over all sessions that are tried. */
export interface Budget {
  left: number
}

interface TakenKey<T> {
  messageKey: Buffer
  /** The state after the message. Costs more than the key, and is called only when the MAC of the message is right. */
  accept(): T
}

/** The key of a received message, on the chain that the message names or on a new one. */
export function receivingKey(
  session: Session,
  ratchetKey: Buffer,
  counter: number,
  budget: Budget,
): TakenKey<Session> {
  const known = findChain(session, ratchetKey)
  if (known) {
    const { messageKey, accept } = takeKey(known, counter, budget)
    return { messageKey, accept: () => replaceChain(session, accept()) }
  }
  const { rootKey, key } = deriveChain(session, ratchetKey)
  const { messageKey, accept } = takeKey(
    // A copy: the original is part of the whole message, which it would keep in memory.
    { ratchetKey: Buffer.from(ratchetKey), key, counter: -1, skipped: new Map() },
    counter,
    budget,
  )
  return { messageKey, accept: () => enterChain(session, rootKey, accept()) }
}

export const findChain = (session: Session, ratchetKey: Buffer): ReceivingChain | undefined =>
  session.receiving.findLast((chain) => chain.ratchetKey.equals(ratchetKey))

/**
 * The chain before this one keeps its key, so that late messages can be decrypted. Like the official library, this ignores how long
 * the other side says that chain was: filling it would be work for a number that the other side chooses.
 */
function enterChain(session: Session, rootKey: Buffer, chain: ReceivingChain): Session {
  return startSending({
    ...session,
    rootKey,
    remoteRatchetKey: chain.ratchetKey,
    receiving: [...session.receiving, chain].slice(-MAX_CHAINS),
    previousCounter: session.sending ? Math.max(0, session.sending.counter) : session.previousCounter,
    ownRatchet: generateKeyPair(),
  })
}

function deriveChain(session: Session, remoteKey: Buffer): { rootKey: Buffer; key: Buffer } {
  const secret = calculateAgreement(remoteKey, session.ownRatchet.privKey)
  const [rootKey, key] = deriveSecrets(secret, session.rootKey, RATCHET_INFO, 2) as [Buffer, Buffer]
  return { rootKey, key }
}

const nextKey = ({ key, counter }: ChainKey): ChainKey => ({
  key: calculateMAC(key, CHAIN_SEED),
  counter: counter + 1,
})

function takeKey(chain: ReceivingChain, counter: number, budget: Budget): TakenKey<ReceivingChain> {
  if (counter <= chain.counter) return takeSkippedKey(chain, counter)
  // Earlier versions closed a chain when the next one began.
  if (!chain.key) throw new SessionError('Chain closed')
  const steps = counter - chain.counter
  if (counter >= MAX_NUMBER || steps > budget.left)
    throw new SessionError('Too many messages into the future')
  budget.left -= steps
  const passed: ChainKey[] = []
  let current: ChainKey = { key: chain.key, counter: chain.counter }
  for (let step = 1; step < steps; step += 1) {
    passed.push(current)
    current = nextKey(current)
  }
  const accept = (): ReceivingChain => ({
    ...chain,
    ...nextKey(current),
    skipped: skip(chain.skipped, passed),
  })
  return { messageKey: calculateMAC(current.key, MESSAGE_SEED), accept }
}

function takeSkippedKey(chain: ReceivingChain, counter: number): TakenKey<ReceivingChain> {
  const messageKey = chain.skipped.get(counter)
  if (!messageKey) throw new MessageCounterError('Key used already or never filled')
  const accept = (): ReceivingChain => {
    const skipped = new Map(chain.skipped)
    skipped.delete(counter)
    return { ...chain, skipped }
  }
  return { messageKey, accept }
}

function skip(known: ReadonlyMap<number, Buffer>, passed: ChainKey[]): ReadonlyMap<number, Buffer> {
  if (passed.length === 0) return known
  const skipped = new Map(known)
  for (const { key, counter } of passed) skipped.set(counter + 1, calculateMAC(key, MESSAGE_SEED))
  return skipped
}

const replaceChain = (session: Session, changed: ReceivingChain): Session => ({
  ...session,
  receiving: session.receiving.map((chain) =>
    chain.ratchetKey.equals(changed.ratchetKey) ? changed : chain,
  ),
})
