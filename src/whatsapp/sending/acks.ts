// The network's acknowledgement of each sent message: accepted, or refused with a code. The library reports refusals only.

import { NetworkError, type SendResult } from '../../network/network.ts'
import type { BinaryNode } from '../library/protocol.ts'
import { classifyRefusal } from './refusals.ts'

export interface Acks {
  expect(messageId: string): Promise<SendResult>
  forget(messageId: string): void
  settle(stanza: BinaryNode): void
  /** The connection is closed: open acknowledgements will not come any more. */
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
      const { id, error, from } = attrs
      waiting.get(id ?? '')?.resolve(error === undefined ? { accepted: true } : refused(Number(error), from))
    },
    fail() {
      for (const entry of waiting.values())
        entry.reject(new NetworkError('unavailable', 'the connection was closed'))
      waiting.clear()
    },
  }
}

const refused = (code: number, chat = ''): SendResult => ({
  accepted: false,
  code,
  refusal: classifyRefusal(code, chat),
})
