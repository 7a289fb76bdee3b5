// Light or dark: as the system has it, unless the reader chose.
import { useState } from 'react'

export const THEMES = ['system', 'light', 'dark'] as const
export type Theme = (typeof THEMES)[number]
const KEPT_AS = 'switchboard.theme'

const kept = (): Theme => THEMES.find((theme) => theme === localStorage.getItem(KEPT_AS)) ?? 'system'

function apply(theme: Theme): void {
  if (theme === 'system') delete document.documentElement.dataset.theme
  else document.documentElement.dataset.theme = theme
}

/** Before anything is drawn, so that nothing flashes. */
export const applyKeptTheme = (): void => apply(kept())

export function useTheme(): [Theme, (theme: Theme) => void] {
  const [theme, setTheme] = useState(kept)
  return [
    theme,
    (next) => {
      localStorage.setItem(KEPT_AS, next)
      apply(next)
      setTheme(next)
    },
  ]
}
