// Moves the conversation to a message, and reads older pages until it is there.
import { useCallback, useEffect, useRef } from 'react'
import type { ThreadMessage } from '../model/shown-messages.ts'

/** A message that is further back is not reached. */
const MOST_PAGES = 60

interface Jumping {
  shown: readonly ThreadMessage[]
  canRead: boolean
  readOlder(): void
  show(messageId: string): void
}

/** `requested` comes from the address of the page; the returned function moves to another message. */
export function useJump(requested: string | undefined, jumping: Jumping): (messageId: string) => void {
  const wanted = useRef<{ messageId: string; pages: number }>(undefined)
  const latest = useRef(jumping)
  const attempt = useCallback(() => {
    const target = wanted.current
    const { shown, canRead, readOlder, show } = latest.current
    if (target === undefined) return
    if (shown.some(({ message }) => message.messageId === target.messageId)) {
      wanted.current = undefined
      show(target.messageId)
    } else if (canRead && target.pages < MOST_PAGES) {
      target.pages += 1
      readOlder()
    }
  }, [])
  const jump = useCallback(
    (messageId: string) => {
      wanted.current = { messageId, pages: 0 }
      attempt()
    },
    [attempt],
  )
  useEffect(() => {
    latest.current = jumping
    attempt()
  })
  useEffect(() => {
    if (requested !== undefined) jump(requested)
  }, [requested, jump])
  return jump
}
