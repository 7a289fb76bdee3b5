// The network's word on each message we sent: taken, or refused with a code. The library tells of refusals only.
import type { BinaryNode } from 'baileys'
import { NetworkError, type SendResult } from '../network.ts'

export interface Acks {
  expect(messageId: string): Promise<SendResult>
  forget(messageId: string): void
  settle(stanza: BinaryNode): void
  /** The connection is gone: whatever was not answered will not be. */
  fail(): void
}

export function createAcks(): Acks {
  const waiting = new Map<string, PromiseWithResolvers<SendResult>>()
  return {
    expect(messageId) {
      const known = waiting.get(messageId) ?? Promise.withResolvers<SendResult>()
      waiting.set(messageId, known)
      return known.promise
    },
    forget: (messageId) => void waiting.delete(messageId),
    settle({ attrs }) {
      const { id, error } = attrs
      waiting
        .get(id ?? '')
        ?.resolve(error === undefined ? { accepted: true } : { accepted: false, code: Number(error) })
    },
    fail() {
      for (const entry of waiting.values())
        entry.reject(new NetworkError('unavailable', 'the connection closed'))
      waiting.clear()
    },
  }
}
