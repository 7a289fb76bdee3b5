// An account with an instance, and a Chatwoot that contract tests connect it with.
import { after } from 'node:test'
import { type ChatwootServer, startChatwootServer } from '../support/chatwoot-server.ts'
import type { Gateway } from '../support/gateway.ts'
import { RECEIVER_HOST } from '../support/receiver.ts'
import { type Fixture, shared, UNLIMITED_PLAN, withInstance } from './fixture.ts'

export interface ChatwootFixture extends Fixture {
  chatwoot: ChatwootServer
  /** Fields that are enough to connect an instance. */
  valid: { url: string; accountId: number; token: string; gatewayUrl: string }
  /** A further open instance of the account. */
  another(): Promise<string>
}

export function withChatwoot(gateway: () => Promise<Gateway>): () => Promise<ChatwootFixture> {
  const fixture = withInstance(gateway, { limits: UNLIMITED_PLAN })
  const made = shared(async () => {
    const [given, chatwoot] = await Promise.all([fixture(), startChatwootServer()])
    const url = `https://${RECEIVER_HOST}:${new URL(chatwoot.url).port}/`
    const { accountId, token } = chatwoot
    const valid = { url, accountId, token, gatewayUrl: given.url }
    const another = async () => (await given.openInstance(given.mine)).name
    return { ...given, chatwoot, valid, another }
  })
  after(async () => (await made()).chatwoot.close())
  return made
}
