// The state of the page in its address: the listed instance and the open chat.
import { useCallback, useMemo } from 'react'
import { useSearch } from 'wouter'
import { STATUS_CHAT } from '../../../src/contract/message-values.ts'

export const isStatus = (chat: string): boolean => chat === STATUS_CHAT

export interface OpenChat {
  instanceName: string
  chat: string
}
export interface Place {
  /** Undefined for the chats of all instances. */
  instanceName: string | undefined
  open: OpenChat | undefined
}

/** In the list of all instances, `of` names the instance of the open chat. */
export function addressOfPlace({ instanceName, open }: Place): string {
  const query = new URLSearchParams()
  if (instanceName !== undefined) query.set('instance', instanceName)
  if (open) {
    if (open.instanceName !== instanceName) query.set('of', open.instanceName)
    query.set('chat', open.chat)
  }
  const text = query.toString()
  return text === '' ? '/conversations' : `/conversations?${text}`
}

export function usePlace(): { place: Place; addressOfChat(open: OpenChat | undefined): string } {
  const search = useSearch()
  const place = useMemo<Place>(() => {
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
    (open: OpenChat | undefined) => addressOfPlace({ instanceName: place.instanceName, open }),
    [place.instanceName],
  )
  return { place, addressOfChat }
}
