// The state of the page in its address: the listed instance and the open chat.
import { useCallback, useMemo } from 'react'
import { useSearch } from 'wouter'
import { STATUS_CHAT } from '../../../src/contract/message-values.ts'

export const isStatus = (chat: string): boolean => chat === STATUS_CHAT

export interface OpenChat {
  instanceName: string
  chat: string
}
export interface Selection {
  /** Undefined for the chats of all instances. */
  instanceName: string | undefined
  open: OpenChat | undefined
}

/** In the list of all instances, `of` names the instance of the open chat. */
export function addressOfSelection({ instanceName, open }: Selection): string {
  const query = new URLSearchParams()
  if (instanceName !== undefined) query.set('instance', instanceName)
  if (open) {
    if (open.instanceName !== instanceName) query.set('of', open.instanceName)
    query.set('chat', open.chat)
  }
  const text = query.toString()
  return text === '' ? '/conversations' : `/conversations?${text}`
}

export function useSelection(): { selection: Selection; addressOfChat(open: OpenChat | undefined): string } {
  const search = useSearch()
  const selection = useMemo<Selection>(() => {
    const query = new URLSearchParams(search)
    const instanceName = query.get('instance') ?? undefined
    const chat = query.get('chat')
    const of = query.get('of') ?? instanceName
    return {
      instanceName,
      open: chat === null || of === undefined ? undefined : { instanceName: of, chat },
    }
  }, [search])
  const addressOfChat = useCallback(
    (open: OpenChat | undefined) => addressOfSelection({ instanceName: selection.instanceName, open }),
    [selection.instanceName],
  )
  return { selection, addressOfChat }
}
