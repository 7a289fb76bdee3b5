// The fields of the form that connects an instance with Chatwoot: what they show at first, and what is sent.
import type { z } from 'zod'
import type { ChatwootBridge } from '../../../../src/contract/chatwoot.ts'

export type ShownBridge = z.output<typeof ChatwootBridge>

export const SWITCHES = [
  'signAgentNames',
  'ignoreGroups',
  'reopenConversation',
  'conversationPending',
  'enabled',
] as const
export type Switch = (typeof SWITCHES)[number]

/** The fields as they are typed. */
export interface ChatwootFields {
  url: string
  accountId: string
  /** Never shown again; empty: unchanged. */
  token: string
  inboxName: string
  gatewayUrl: string
  chosen: readonly Switch[]
}

export const fieldsOf = (bridge: ShownBridge | undefined, here: string): ChatwootFields => ({
  url: bridge?.url ?? '',
  accountId: bridge ? String(bridge.accountId) : '',
  token: '',
  inboxName: bridge?.inboxName ?? '',
  gatewayUrl: bridge?.gatewayUrl ?? here,
  chosen: SWITCHES.filter((name) => bridge?.[name] ?? (name === 'enabled' || name === 'reopenConversation')),
})

export const missingIn = (
  { url, accountId, token }: ChatwootFields,
  bridge: ShownBridge | undefined,
): Partial<Record<keyof ChatwootFields, boolean>> => ({
  url: url.trim() === '',
  accountId: !/^[1-9]\d{0,14}$/.test(accountId.trim()),
  token: bridge === undefined && token === '',
})

/** Omitted settings get their defaults, so that all of them are sent. An inbox that keeps its name is named by its id. */
export function bodyOf(fields: ChatwootFields, bridge: ShownBridge | undefined) {
  const [token, inboxName] = [fields.token.trim(), fields.inboxName.trim()]
  const isKept = bridge !== undefined && inboxName === bridge.inboxName && isSameAccount(fields, bridge)
  const named: { inboxName?: string; inboxId?: number } = inboxName === '' ? {} : { inboxName }
  return {
    url: fields.url.trim(),
    accountId: Number(fields.accountId),
    ...(token === '' ? {} : { token }),
    ...(isKept ? { inboxId: bridge.inboxId } : named),
    ...(fields.gatewayUrl.trim() === '' ? {} : { gatewayUrl: fields.gatewayUrl.trim() }),
    ...(Object.fromEntries(SWITCHES.map((name) => [name, fields.chosen.includes(name)])) as Record<
      Switch,
      boolean
    >),
  }
}

const isSameAccount = ({ url, accountId }: ChatwootFields, bridge: ShownBridge): boolean =>
  url.trim() === bridge.url && Number(accountId) === bridge.accountId
