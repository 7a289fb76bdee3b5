// The port of the bridge to Chatwoot, for the handlers of its settings.
import type { z } from 'zod'
import type { Caller } from '../../accounts/caller.ts'
import type {
  ChatwootBridge,
  ChatwootHistory,
  HistoryBody,
  SaveChatwootBody,
} from '../../contract/chatwoot.ts'

export interface ChatwootBridges {
  /** Creates the inbox in Chatwoot if there is none, and starts the bridge. */
  save(
    caller: Caller,
    instanceName: string,
    body: z.output<typeof SaveChatwootBody>,
  ): Promise<z.output<typeof ChatwootBridge>>
  get(caller: Caller, instanceName: string): Promise<z.output<typeof ChatwootBridge>>
  /** Inbox and conversations stay in Chatwoot. */
  remove(caller: Caller, instanceName: string): Promise<void>
  /** Hands stored messages over, oldest first. */
  pushHistory(
    caller: Caller,
    instanceName: string,
    body: z.output<typeof HistoryBody>,
    signal: AbortSignal,
  ): Promise<z.output<typeof ChatwootHistory>>
}
