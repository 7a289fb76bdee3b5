// Accepting, claiming and settling in one line each, for tests that need messages in a certain state.
import assert from 'node:assert/strict'
import { NOON, type Tenant } from '../store/conformance/tenant.ts'
import type { Store } from '../store/store.ts'
import type { ClaimedSend, ClaimRequest } from './outbox.ts'
import type { SendOutcome } from './rules-settle-send.ts'

export const SENT: SendOutcome = { kind: 'sent', chat: '5511912345678@s.whatsapp.net', text: 'hi' }
export const claim = (store: Store, change: Partial<ClaimRequest> = {}): Promise<ClaimedSend[]> =>
  store.claimSends({
    owner: 'one',
    now: NOON,
    lockMs: 1000,
    limit: 100,
    runLength: 1,
    perInstance: 100,
    ...change,
  })
export const settle = (
  store: Store,
  claimed: ClaimedSend,
  outcome: SendOutcome,
  now = NOON,
  release = true,
): Promise<boolean> => store.settleSend({ ...claimed, now, outcome, release })
export const accept = async (
  store: Store,
  { send }: Tenant,
  chat: string,
  content: string,
): Promise<string> => {
  const wanted = send({ chat, content })
  assert.deepEqual(await store.acceptSend(wanted), { outcome: 'accepted' })
  return wanted.messageId
}
export const contents = (claimed: ClaimedSend[]): string[] => claimed.map(({ content }) => content)
