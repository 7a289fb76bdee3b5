// Arrow keys in a list of links: the list is one stop of the Tab key.
import type { KeyboardEvent } from 'react'

const STEPS: Partial<Record<string, (index: number, count: number) => number>> = {
  ArrowDown: (index, count) => Math.min(index + 1, count - 1),
  ArrowUp: (index) => Math.max(index - 1, 0),
  Home: () => 0,
  End: (_index, count) => count - 1,
}

export function moveInList(event: KeyboardEvent<HTMLElement>): void {
  const step = STEPS[event.key]
  const links = [...event.currentTarget.querySelectorAll<HTMLElement>('a')]
  const index = links.indexOf(document.activeElement as HTMLElement)
  if (!step || index < 0) return
  event.preventDefault()
  links[step(index, links.length)]?.focus()
}
