// What the bridge of an instance has sealed in the store, as options of its webhook.

export interface ChatwootOptions {
  /** Of the account in Chatwoot. */
  accountId: number
  /** Access token of a user there. */
  token: string
  inboxId: number
  inboxName: string
  /** The last part of the path that Chatwoot posts to. */
  hookToken: string
  /** Signs what Chatwoot posts; null: this Chatwoot signs nothing, or the user of the token may not read it. */
  hookSecret: string | null
  /** How Chatwoot reaches this gateway. */
  gatewayUrl: string
  signAgentNames: boolean
  ignoreGroups: boolean
  reopenConversation: boolean
  conversationPending: boolean
}

/** A bridge as the parts of this folder use it. */
export interface Bridge {
  webhookId: number
  accountId: number
  instanceId: number
  url: string
  options: ChatwootOptions
}

/** Below the gateway's address. */
export const HOOK_PATH = '/chatwoot/hooks'
export const hookPath = (instanceId: number, hookToken: string): string =>
  `${HOOK_PATH}/${instanceId}-${hookToken}`
