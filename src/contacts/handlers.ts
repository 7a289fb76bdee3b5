// Contacts, numbers, people with presence and block list, and the profile and settings of an instance.
import type { Deps } from '../context.ts'
import { getSettings, updateSettings } from '../instances/instance-settings.ts'
import type { Handlers } from '../request-handler.ts'
import * as contacts from './contacts.ts'
import * as numbers from './numbers.ts'
import * as people from './people.ts'
import { followPresence, listPresence, unfollowPresence } from './presence.ts'
import { getProfile, updateProfile } from './profile.ts'

// Contacts.

export const contactHandlers = (deps: Pick<Deps, 'store' | 'clock'>) =>
  ({
    async listContacts({ caller }, { query }) {
      const { page, limit } = query
      const found = await contacts.listContacts(deps, caller, query)
      return { count: found.contacts.length, page, limit, ...found }
    },
    async saveContact({ caller }, { body }) {
      return { contact: await contacts.saveContact(deps, caller, body) }
    },
    async getContact({ caller }, { params }) {
      return { contact: await contacts.getContact(deps, caller, params.id) }
    },
    async updateContact({ caller }, { params, body }) {
      return { contact: await contacts.updateContact(deps, caller, params.id, body) }
    },
    async deleteContact({ caller }, { params }) {
      await contacts.deleteContact(deps, caller, params.id)
      return { id: params.id }
    },
  }) satisfies Partial<Handlers>

// Number checks.
export const numberHandlers = (deps: Pick<Deps, 'store' | 'sessions' | 'clock'>) =>
  ({
    async checkNumbers({ caller }, { query }) {
      const found = await numbers.checkNumbers(deps, caller, query)
      return { count: found.length, numbers: found }
    },
    async checkNumber({ caller }, { query }) {
      // The schema accepts exactly one of each pair.
      const instanceName = query.instanceName ?? query.instance ?? ''
      const number = query.number ?? query.phone ?? ''
      const { exists, jid, instance } = await numbers.checkNumber(deps, caller, { instanceName, number })
      return { status: 'success', data: { exists, jid, number, instance } }
    },
  }) satisfies Partial<Handlers>

// People, their presence, and the block list.
export const peopleHandlers = (deps: Pick<Deps, 'store' | 'vault' | 'clock' | 'sessions'>) =>
  ({
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
  }) satisfies Partial<Handlers>

// The profile of an instance, and its settings.

export const profileHandlers = (
  deps: Pick<Deps, 'store' | 'sessions' | 'clock' | 'checkUrl' | 'readPicture'>,
) =>
  ({
    async getProfile({ caller }, { query }) {
      return { profile: await getProfile(deps, caller, query.instanceName) }
    },
    async updateProfile({ caller }, { query, body }) {
      return { profile: await updateProfile(deps, caller, { ...query, change: body }) }
    },
  }) satisfies Partial<Handlers>

export const settingsHandlers = (deps: Pick<Deps, 'store' | 'vault' | 'sessions' | 'clock' | 'checkUrl'>) =>
  ({
    async getSettings({ caller }, { query }) {
      return { settings: await getSettings(deps, caller, query.instanceName) }
    },
    async updateSettings({ caller }, { query, body }) {
      return { settings: await updateSettings(deps, caller, { ...query, change: body }) }
    },
  }) satisfies Partial<Handlers>
