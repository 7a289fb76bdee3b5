// The button of the palette, and its key: Ctrl+K, or ⌘K on a Mac. The palette is beside the page, because the menu that has the button is hidden
// on narrow screens.
import { useEffect, useState } from 'react'
import { Icon } from '../ui/icons.tsx'
import { useTexts } from '../ui/language.tsx'
import css from './palette-button.module.css'
import { shellTexts } from './texts/shell-texts.ts'

export function PaletteButton({ onOpen }: { onOpen(): void }) {
  const t = useTexts(shellTexts)
  return (
    <button type="button" className={css.button} aria-keyshortcuts="Control+K" onClick={onOpen}>
      <Icon name="search" />
      <span>{t.palette.open}</span>
      <kbd aria-hidden="true">Ctrl K</kbd>
    </button>
  )
}

/** Whether the palette is open. */
export function usePalette(isAvailable: boolean): [boolean, (isOpen: boolean) => void] {
  const [isOpen, setOpen] = useState(false)
  useEffect(() => {
    if (!isAvailable) return
    const listen = (event: KeyboardEvent) => {
      if (event.key.toLowerCase() !== 'k' || !(event.ctrlKey || event.metaKey) || event.altKey) return
      event.preventDefault()
      // A dialog may have fields that were filled in; it is closed first.
      if (!document.querySelector('dialog[open]')) setOpen(true)
    }
    addEventListener('keydown', listen)
    return () => removeEventListener('keydown', listen)
  }, [isAvailable])
  return [isOpen, setOpen]
}
