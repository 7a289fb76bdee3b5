// The title of the tab: the page, and how many chats have unread messages.

/** Above this, the exact number says no more. */
const MOST_COUNTED = 99

export function titleOf(page: string, unread: number): string {
  const name = page === '' ? 'Switchboard' : `${page} · Switchboard`
  if (unread === 0) return name
  return `(${unread > MOST_COUNTED ? `${MOST_COUNTED}+` : unread}) ${name}`
}
