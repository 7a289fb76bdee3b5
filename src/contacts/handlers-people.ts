// People, their presence, and the block list.
import type { Deps } from '../context.ts'
import type { Handlers } from '../request-handler.ts'
import * as people from './people.ts'
import { followPresence, listPresence, unfollowPresence } from './presence.ts'

export const peopleHandlers = (
  deps: Pick<Deps, 'store' | 'vault' | 'clock' | 'sessions'>,
): Handlers<
  'getPerson' | 'blockPerson' | 'unblockPerson' | 'getBlocklist' | 'listPresence' | 'subscribePresence'
> => ({
  async getPerson({ caller }, { params, query }) {
    return { person: await people.getPerson(deps, caller, { ...params, ...query }) }
  },
  async blockPerson({ caller }, { params, query }) {
    return { person: await people.setBlocked(deps, caller, { ...params, ...query }, true) }
  },
  async unblockPerson({ caller }, { params, query }) {
    return { person: await people.setBlocked(deps, caller, { ...params, ...query }, false) }
  },
  async getBlocklist({ caller }, { query }) {
    const blocked = await people.getBlocklist(deps, caller, query.instanceName)
    return { count: blocked.length, people: blocked }
  },
  async listPresence({ caller }, { query }) {
    const subscriptions = await listPresence(deps, caller, query.instanceName)
    return { count: subscriptions.length, subscriptions }
  },
  async subscribePresence({ caller }, { body: { instanceName, subscribe, unsubscribe } }) {
    // The schema accepts exactly one of both.
    const change = subscribe
      ? await followPresence(deps, caller, { instanceName, numbers: subscribe })
      : await unfollowPresence(deps, caller, { instanceName, numbers: unsubscribe ?? [] })
    return { count: change.subscriptions.length, ...change }
  },
})
