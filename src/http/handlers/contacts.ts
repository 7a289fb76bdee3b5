// Contacts, chats, groups and number checks (spec 4.3).
import * as contacts from '../../domain/contacts.ts'
import type { Deps } from '../../domain/deps.ts'
import { readChat } from '../../domain/reading.ts'
import type { Handlers } from '../handler.ts'

export function contactHandlers(
  deps: Deps,
): Handlers<
  | 'listContacts'
  | 'saveContact'
  | 'getContact'
  | 'updateContact'
  | 'deleteContact'
  | 'listChats'
  | 'readChat'
  | 'listGroups'
  | 'checkNumber'
> {
  return {
    async listContacts({ caller }, { query }) {
      const { page, limit } = query
      const found = await contacts.listContacts(deps, caller, query)
      return { success: true, count: found.contacts.length, page, limit, ...found }
    },
    async saveContact({ caller }, { body }) {
      return { success: true, contact: await contacts.saveContact(deps, caller, body) }
    },
    async getContact({ caller }, { params }) {
      return { success: true, contact: await contacts.getContact(deps, caller, params.id) }
    },
    async updateContact({ caller }, { params, body }) {
      return { success: true, contact: await contacts.updateContact(deps, caller, params.id, body) }
    },
    async deleteContact({ caller }, { params }) {
      await contacts.deleteContact(deps, caller, params.id)
      return { success: true, id: params.id }
    },
    async listChats({ caller }, { query }) {
      const found = await contacts.listChats(deps, caller, query)
      return { success: true, count: found.chats.length, page: query.page, limit: query.limit, ...found }
    },
    async readChat({ caller }, { query, body }) {
      return { success: true, ...(await readChat(deps, caller, { ...query, ...body })) }
    },
    async listGroups({ caller }, { query }) {
      const found = await contacts.listGroups(deps, caller, query)
      return { success: true, count: found.groups.length, ...found }
    },
    async checkNumber({ caller }, { query }) {
      // The schema lets exactly one of each pair through.
      const instanceName = query.instanceName ?? query.instance ?? ''
      const number = query.number ?? query.phone ?? ''
      const { exists, jid, instance } = await contacts.checkNumber(deps, caller, { instanceName, number })
      return { success: true, status: 'success', data: { exists, jid, number, instance } }
    },
  }
}
