// The title of the tab and its icon: the page, and how many chats have unread messages.

/** Above this, the exact number says no more. */
const MOST_COUNTED = 99
const shown = { page: '', unread: 0 }

export function titleOf(page: string, unread: number): string {
  const name = page === '' ? 'Switchboard' : `${page} · Switchboard`
  if (unread === 0) return name
  return `(${unread > MOST_COUNTED ? `${MOST_COUNTED}+` : unread}) ${name}`
}

export function showTitle(change: Partial<typeof shown>): void {
  Object.assign(shown, change)
  document.title = titleOf(shown.page, shown.unread)
  const icon = document.querySelector<HTMLLinkElement>('link[rel=icon]')
  const address = shown.unread > 0 ? '/icon-unread.svg' : '/icon.svg'
  if (icon && icon.getAttribute('href') !== address) icon.setAttribute('href', address)
}
