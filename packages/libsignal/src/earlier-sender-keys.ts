// Reads sender keys as earlier versions stored them: JSON, with bytes as lists of numbers or in Base64.
import type { SenderKey } from './sender-key.ts'

type EarlierBytes = { type: 'Buffer'; data: number[] | string } | string | number[] | Record<string, number>

interface EarlierSenderKey {
  senderKeyId: number
  senderChainKey: { iteration: number; seed: EarlierBytes }
  senderSigningKey: { public: EarlierBytes; private?: EarlierBytes }
  senderMessageKeys: { iteration: number; seed: EarlierBytes }[]
}

const LIST_START = '['.charCodeAt(0)
const KEY_TYPE = Buffer.from([5])
const KEY_LENGTH = 32

export const isEarlierSenderKey = (bytes: Uint8Array): boolean => bytes[0] === LIST_START

export function readEarlierSenderKey(stored: Uint8Array): SenderKey[] {
  const keys = JSON.parse(Buffer.from(stored).toString()) as EarlierSenderKey[]
  return keys.map(({ senderKeyId, senderChainKey, senderSigningKey, senderMessageKeys }) => {
    const signingKey = bytesOf(senderSigningKey.public)
    const secret = senderSigningKey.private ? bytesOf(senderSigningKey.private) : Buffer.alloc(0)
    // A sender skipped the key of every other message, and kept it although no message can need it.
    const skipped = secret.length > 0 ? [] : senderMessageKeys
    return {
      id: senderKeyId,
      iteration: senderChainKey.iteration,
      chainKey: bytesOf(senderChainKey.seed),
      signingKey: signingKey.length === KEY_LENGTH ? Buffer.concat([KEY_TYPE, signingKey]) : signingKey,
      signingSecret: secret.length > 0 ? secret : null,
      skipped: new Map(skipped.map(({ iteration, seed }) => [iteration, bytesOf(seed)])),
    }
  })
}

function bytesOf(value: EarlierBytes): Buffer {
  if (typeof value === 'string') return Buffer.from(value, 'base64')
  if (Array.isArray(value)) return Buffer.from(value)
  const { data } = value as { data?: number[] | string }
  if (data !== undefined) return bytesOf(data)
  return Buffer.from(Object.values(value as Record<string, number>))
}
