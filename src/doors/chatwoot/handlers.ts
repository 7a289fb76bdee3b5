// The connection of an instance with Chatwoot.

import type { Handlers } from '../../request-handler.ts'
import type { ChatwootBridges } from './port.ts'

export interface ChatwootDeps {
  chatwoot: ChatwootBridges
}

export const chatwootHandlers = ({ chatwoot }: ChatwootDeps) =>
  ({
    async saveChatwoot({ caller }, { params, body }) {
      return { bridge: await chatwoot.save(caller, params.instanceName, body) }
    },
    async getChatwoot({ caller }, { params }) {
      return { bridge: await chatwoot.get(caller, params.instanceName) }
    },
    async deleteChatwoot({ caller }, { params }) {
      await chatwoot.remove(caller, params.instanceName)
      return {}
    },
    pushChatwootHistory: ({ caller, ended }, { params, body }) =>
      chatwoot.pushHistory(caller, params.instanceName, body, ended),
  }) satisfies Partial<Handlers>
