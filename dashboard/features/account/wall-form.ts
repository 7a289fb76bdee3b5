// The form of a key's walls, and the fields that it becomes.
import { WROTE_FIRST } from '../../../src/contract/wall-values.ts'
import type { ApiKey } from './key-state.ts'
import type { account } from './texts/en.ts'

export type ChatWall = 'all' | typeof WROTE_FIRST | 'listed'

export interface WallForm {
  instances: string[]
  chats: ChatWall
  /** Separated by commas or spaces. */
  listed: string
  messagesPerDay: string
  approval: boolean
  approvalOnPhone: boolean
}

export const NO_WALLS: WallForm = {
  instances: [],
  chats: 'all',
  listed: '',
  messagesPerDay: '',
  approval: false,
  approvalOnPhone: false,
}

export type KeyWalls = Pick<ApiKey, 'instances' | 'chats' | 'messagesPerDay' | 'approval' | 'approvalOnPhone'>

const chatsOf = ({ chats, listed }: WallForm): KeyWalls['chats'] => {
  if (chats === 'all') return null
  return chats === WROTE_FIRST ? WROTE_FIRST : listed.split(/[\s,]+/).filter((chat) => chat !== '')
}

/** The gateway checks the values, and names the field that is wrong. */
export const wallsOf = (form: WallForm): KeyWalls => ({
  instances: form.instances.length === 0 ? null : form.instances,
  chats: chatsOf(form),
  messagesPerDay: form.messagesPerDay.trim() === '' ? null : Number(form.messagesPerDay),
  approval: form.approval,
  approvalOnPhone: form.approval && form.approvalOnPhone,
})

/** In few words, for the table of keys. */
export const shownWalls = (
  { instances, chats, messagesPerDay, approval, approvalOnPhone }: KeyWalls,
  t: (typeof account)['walls'],
): string =>
  [
    ...(instances === null
      ? []
      : [instances.length === 1 ? instances[0] : t.instanceCount(instances.length)]),
    ...(chats === WROTE_FIRST ? [t.wroteFirst] : []),
    ...(Array.isArray(chats) ? [chats.length === 1 ? chats[0] : t.chatCount(chats.length)] : []),
    ...(messagesPerDay === null ? [] : [t.perDay(messagesPerDay)]),
    ...(approval ? [approvalOnPhone ? t.withApprovalOnPhone : t.withApproval] : []),
  ].join(', ') || t.none
