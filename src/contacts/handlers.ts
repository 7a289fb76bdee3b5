// Contacts.

import type { Deps } from '../context.ts'
import type { Handlers } from '../request-handler.ts'
import * as contacts from './contacts.ts'

export const contactHandlers = (
  deps: Pick<Deps, 'store' | 'clock'>,
): Handlers<'listContacts' | 'saveContact' | 'getContact' | 'updateContact' | 'deleteContact'> => ({
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
})
