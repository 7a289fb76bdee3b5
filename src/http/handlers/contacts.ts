// Contacts, chats, groups and number checks.
import * as contacts from '../../domain/contacts.ts'
import type { Deps } from '../../domain/deps.ts'
import { markChatRead } from '../../domain/mark-read.ts'
import type { Handlers } from '../handler.ts'
import { pagedAnswer } from '../paged-answer.ts'

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

export const chatHandlers = (
  deps: Pick<Deps, 'store' | 'clock' | 'sessions'>,
): Handlers<'listChats' | 'readChat' | 'listGroups' | 'checkNumber' | 'checkNumbers'> => ({
  async listChats({ caller }, { query }) {
    const { instance, ...found } = await contacts.listChats(deps, caller, query)
    return { ...pagedAnswer('chats', query, found), instance }
  },
  readChat: ({ caller }, { query, body }) => markChatRead(deps, caller, { ...query, ...body }),
  async listGroups({ caller }, { query }) {
    const found = await contacts.listGroups(deps, caller, query)
    return { count: found.groups.length, ...found }
  },
  async checkNumbers({ caller }, { query }) {
    const found = await contacts.checkNumbers(deps, caller, query)
    return { count: found.length, numbers: found }
  },
  async checkNumber({ caller }, { query }) {
    // The schema accepts exactly one of each pair.
    const instanceName = query.instanceName ?? query.instance ?? ''
    const number = query.number ?? query.phone ?? ''
    const { exists, jid, instance } = await contacts.checkNumber(deps, caller, { instanceName, number })
    return { status: 'success', data: { exists, jid, number, instance } }
  },
})
