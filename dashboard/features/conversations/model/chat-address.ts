// The state of the page in its address: the listed instance and the open chat.
import { useCallback, useMemo } from 'react'
import { useSearch } from 'wouter'
import { STATUS_CHAT } from '../../../../src/contract/message-values.ts'

export const isStatus = (chat: string): boolean => chat === STATUS_CHAT

export interface OpenChat {
  instanceName: string
  chat: string
}
export interface Selection {
  /** Undefined for the chats of all instances. */
  instanceName: string | undefined
  open: OpenChat | undefined
  /** The message to show in the open chat. */
  messageId?: string | undefined
  /** A dialog that another page asks for. */
  show?: string | undefined
}

/** In the list of all instances, `of` names the instance of the open chat. */
export function addressOfSelection({ instanceName, open, messageId }: Selection): string {
  const query = new URLSearchParams()
  if (instanceName !== undefined) query.set('instance', instanceName)
  if (open) {
    if (open.instanceName !== instanceName) query.set('of', open.instanceName)
    query.set('chat', open.chat)
    if (messageId !== undefined) query.set('message', messageId)
  }
  const text = query.toString()
  return text === '' ? '/conversations' : `/conversations?${text}`
}

interface SelectionInAddress {
  selection: Selection
  addressOfChat(open: OpenChat | undefined, messageId?: string): string
}

export function useSelection(): SelectionInAddress {
  const search = useSearch()
  const selection = useMemo<Selection>(() => {
    const query = new URLSearchParams(search)
    const instanceName = query.get('instance') ?? undefined
    const chat = query.get('chat')
    const of = query.get('of') ?? instanceName
    return {
      instanceName,
      open: chat === null || of === undefined ? undefined : { instanceName: of, chat },
      messageId: query.get('message') ?? undefined,
      show: query.get('show') ?? undefined,
    }
  }, [search])
  const addressOfChat = useCallback(
    (open: OpenChat | undefined, messageId?: string) =>
      addressOfSelection({ instanceName: selection.instanceName, open, messageId }),
    [selection.instanceName],
  )
  return { selection, addressOfChat }
}
