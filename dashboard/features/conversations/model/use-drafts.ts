// The draft of a chat: restored when the chat is opened, and kept while the reader types.
import { useEffect, useRef, useState, useSyncExternalStore } from 'react'
import { type Drafts, keptDrafts } from '../../../gateway/kept-drafts.ts'
import { useAccount } from '../../../gateway/sign-in.ts'
import type { OpenChat } from './chat-address.ts'

export const draftKeyOf = ({ instanceName, chat }: OpenChat): string => `${instanceName} ${chat}`

const useAccountId = (): number | undefined => useAccount().data?.account.id

export function useAllDrafts(): Drafts {
  const accountId = useAccountId()
  return useSyncExternalStore(keptDrafts.onChange, () => keptDrafts.of(accountId))
}

/** `text` is undefined while the form of another kind of message is shown. */
export function useKeptDraft(
  open: OpenChat,
  text: string | undefined,
  restore: (text: string) => void,
): void {
  const accountId = useAccountId()
  const chat = draftKeyOf(open)
  const [first] = useState(() => keptDrafts.of(accountId)[chat])
  const restoring = useRef(restore)
  // An empty text before the first letter says nothing about the draft.
  const isTouched = useRef(false)
  useEffect(() => {
    if (first !== undefined) restoring.current(first)
  }, [first])
  useEffect(() => {
    if (text === undefined || accountId === undefined) return
    if (text !== '') isTouched.current = true
    if (isTouched.current) keptDrafts.keep(accountId, chat, text)
  }, [accountId, chat, text])
}
