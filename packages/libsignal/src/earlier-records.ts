// Reads session records as earlier versions stored them: JSON with keys in Base64.
import type { ReceivingChain, Session } from './session.ts'

interface EarlierRecord {
  _sessions?: Record<string, EarlierSession>
}

interface EarlierSession {
  registrationId: number
  currentRatchet: {
    ephemeralKeyPair: { pubKey: string; privKey: string }
    lastRemoteEphemeralKey: string
    previousCounter: number
    rootKey: string
  }
  indexInfo: {
    baseKey: string
    baseKeyType: number
    closed: number
    used: number
    created: number
    remoteIdentityKey: string
  }
  _chains: Record<string, EarlierChain>
  pendingPreKey?: { baseKey: string; signedKeyId: number; preKeyId?: number }
}

interface EarlierChain {
  chainKey: { counter: number; key?: string }
  chainType: number
  messageKeys: Record<string, string>
}

const OURS = 1
const SENDING = 1

export function readEarlierRecord(value: unknown): Session[] {
  const sessions = (value as EarlierRecord | null)?._sessions
  if (typeof sessions !== 'object') throw new Error('Unknown format of a session record')
  return Object.values(sessions).map(readSession)
}

function readSession({
  registrationId,
  currentRatchet,
  indexInfo,
  _chains,
  pendingPreKey,
}: EarlierSession): Session {
  const { ephemeralKeyPair, lastRemoteEphemeralKey, previousCounter, rootKey } = currentRatchet
  const own = _chains[ephemeralKeyPair.pubKey]
  const isSending = own?.chainType === SENDING && own.chainKey.key !== undefined
  return {
    registrationId,
    remoteIdentityKey: bytes(indexInfo.remoteIdentityKey),
    baseKey: bytes(indexInfo.baseKey),
    isOurs: indexInfo.baseKeyType === OURS,
    createdAt: indexInfo.created,
    usedAt: indexInfo.used,
    closedAt: indexInfo.closed === -1 ? null : indexInfo.closed,
    rootKey: bytes(rootKey),
    ownRatchet: { pubKey: bytes(ephemeralKeyPair.pubKey), privKey: bytes(ephemeralKeyPair.privKey) },
    remoteRatchetKey: bytes(lastRemoteEphemeralKey),
    previousCounter: Math.max(0, previousCounter),
    sending: isSending ? { key: bytes(own.chainKey.key as string), counter: own.chainKey.counter } : null,
    receiving: Object.entries(_chains)
      .filter(([, { chainType }]) => chainType !== SENDING)
      .map(([ratchetKey, chain]) => readChain(ratchetKey, chain)),
    pendingPreKey: pendingPreKey
      ? {
          baseKey: bytes(pendingPreKey.baseKey),
          signedKeyId: pendingPreKey.signedKeyId,
          preKeyId: pendingPreKey.preKeyId ?? null,
        }
      : null,
  }
}

const readChain = (ratchetKey: string, { chainKey, messageKeys }: EarlierChain): ReceivingChain => ({
  ratchetKey: bytes(ratchetKey),
  key: chainKey.key === undefined ? null : bytes(chainKey.key),
  counter: chainKey.counter,
  skipped: new Map(Object.entries(messageKeys).map(([counter, key]) => [Number(counter), bytes(key)])),
})

const bytes = (base64: string): Buffer => Buffer.from(base64, 'base64')
