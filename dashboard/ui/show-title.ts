// Writes the title of the tab and its icon. Pages know their name and the inbox the number of unread chats, so both are kept here.
import { titleOf } from './page-title.ts'

const shown = { page: '', unread: 0 }

export function showTitle(change: Partial<typeof shown>): void {
  Object.assign(shown, change)
  document.title = titleOf(shown.page, shown.unread)
  const icon = document.querySelector<HTMLLinkElement>('link[rel=icon]')
  const address = shown.unread > 0 ? '/icon-unread.svg' : '/icon.svg'
  if (icon && icon.getAttribute('href') !== address) icon.setAttribute('href', address)
}
