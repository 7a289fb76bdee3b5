// What a stored record may contain. A contact decides how many sessions it begins and how many messages it leaves out, so that
// without limits it could make a record of megabytes, which every message reads and writes.
import { isNumber } from './bytes.ts'
import { MAX_CHAINS, MAX_SKIPPED } from './ratchet.ts'
import type { SenderKey } from './sender-key.ts'
import type { ChainKey, ReceivingChain, Session } from './session.ts'

interface Chain {
  readonly skipped: ReadonlyMap<number, Buffer>
}

const KEY_LENGTH = 32

/** Five chains a session, and 2,000 keys of missing messages in all sessions together. The oldest are dropped. */
export function limitSessions(sessions: readonly Session[]): readonly Session[] {
  const kept = sessions.map(({ receiving }) => receiving.slice(-MAX_CHAINS))
  const total = countSkipped(kept.flat())
  if (total <= MAX_SKIPPED && sessions.every(({ receiving }) => receiving.length <= MAX_CHAINS))
    return sessions
  const trim = createTrimmer(total)
  return sessions.map((session, index) => withChains(session, kept[index]?.map(trim) ?? []))
}

const withChains = (session: Session, receiving: ReceivingChain[]): Session => ({ ...session, receiving })

/** 2,000 keys of missing messages in all keys of the sender together. */
export function limitSenderKeys(keys: readonly SenderKey[]): readonly SenderKey[] {
  const total = countSkipped(keys)
  return total <= MAX_SKIPPED ? keys : keys.map(createTrimmer(total))
}

const countSkipped = (chains: readonly Chain[]): number =>
  chains.reduce((total, { skipped }) => total + skipped.size, 0)

/** Drops keys from each chain that it is called with, the oldest chain first, until enough are dropped. */
function createTrimmer(total: number): <T extends Chain>(chain: T) => T {
  let excess = total - MAX_SKIPPED
  return (chain) => {
    if (excess <= 0 || chain.skipped.size === 0) return chain
    // A Map keeps the order of insertion: the first is the oldest.
    const skipped = new Map([...chain.skipped].slice(excess))
    excess -= chain.skipped.size - skipped.size
    return { ...chain, skipped }
  }
}

/** Earlier versions accepted larger numbers from the wire, with which a loop may not end. Such a session is treated as absent. */
export function isSoundSession(session: Session): boolean {
  const { registrationId, previousCounter, sending, receiving, pendingPreKey } = session
  return (
    isNumber(registrationId) &&
    isNumber(previousCounter) &&
    (sending === null || isSoundChain(sending)) &&
    receiving.every(({ key, counter, skipped }) => isSoundChain({ key, counter }) && hasNumbers(skipped)) &&
    (pendingPreKey === null || (isNumber(pendingPreKey.signedKeyId) && isNumber(pendingPreKey.preKeyId ?? 0)))
  )
}

export const isSoundSenderKey = ({ id, iteration, chainKey, skipped }: SenderKey): boolean =>
  isNumber(id) && isNumber(iteration) && chainKey.length === KEY_LENGTH && hasNumbers(skipped)

const isSoundChain = ({ key, counter }: { key: ChainKey['key'] | null; counter: number }): boolean =>
  // The number of the last message is -1 before the first.
  isNumber(counter + 1) && (key === null || key.length === KEY_LENGTH)

function hasNumbers(skipped: ReadonlyMap<number, Buffer>): boolean {
  for (const number of skipped.keys()) if (!isNumber(number)) return false
  return true
}
