// The theme: light, dark, or the setting of the system.
import { useState } from 'react'

export const THEMES = ['system', 'light', 'dark'] as const
export type Theme = (typeof THEMES)[number]
const KEPT_AS = 'switchboard.theme'

const kept = (): Theme => THEMES.find((theme) => theme === localStorage.getItem(KEPT_AS)) ?? 'system'

function apply(theme: Theme): void {
  if (theme === 'system') delete document.documentElement.dataset.theme
  else document.documentElement.dataset.theme = theme
}

/** Called before the first render, so that the page does not flash in the wrong theme. */
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
