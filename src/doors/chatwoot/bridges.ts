// The bridge to Chatwoot put together: events to it, and what callers can ask of it. `serve.ts` has the way back.
import type { Caller } from '../../accounts/caller.ts'
import { requireInstance } from '../../instances/instances.ts'
import { deleteWebhook } from '../../webhooks/webhooks.ts'
import { pushHistory } from './history.ts'
import type { Outward } from './outward.ts'
import type { ChatwootBridges } from './port.ts'
import { requireBridge, type SetupParts, saveBridge, toBridge } from './setup.ts'

export function createChatwootBridges(parts: SetupParts, { push }: Outward): ChatwootBridges {
  const find = async (caller: Caller, instanceName: string) => {
    const instance = await requireInstance(parts, caller.account.id, instanceName)
    return { instance, known: await requireBridge(parts, instance.id) }
  }
  return {
    save: (caller, instanceName, body) => saveBridge(parts, caller, instanceName, body),
    async get(caller, instanceName) {
      const { instance, known } = await find(caller, instanceName)
      return toBridge(instance, known)
    },
    async remove(caller, instanceName) {
      const { known } = await find(caller, instanceName)
      await deleteWebhook(parts, caller, known.row.id)
    },
    async pushHistory(caller, instanceName, body, signal) {
      const { known } = await find(caller, instanceName)
      return pushHistory({ db: parts.store.db, clock: parts.clock, push }, known.bridge, body, signal)
    },
  }
}
