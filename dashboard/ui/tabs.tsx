// Tabs with arrow-key navigation, following the ARIA pattern.

import { type KeyboardEvent, type ReactNode, useId, useState } from 'react'
import css from './tabs.module.css'

export interface Tab {
  id: string
  title: string
  content(): ReactNode
}

export interface TabsProps {
  label: string
  tabs: readonly Tab[]
  /** Set if the page stores the selection, for example in its address. `chosen` undefined selects the first tab. */
  kept?: { chosen: string | undefined; choose(id: string): void }
}

export function Tabs({ label, tabs, kept }: TabsProps) {
  const [own, setOwn] = useState<string>()
  const { chosen, choose } = kept ?? { chosen: own, choose: setOwn }
  const prefix = useId()
  const current = tabs.find((tab) => tab.id === chosen) ?? tabs[0]
  function move(event: KeyboardEvent) {
    const step = { ArrowRight: 1, ArrowLeft: -1 }[event.key]
    if (step === undefined || !current) return
    const next = tabs[(tabs.indexOf(current) + step + tabs.length) % tabs.length]
    if (!next) return
    choose(next.id)
    document.getElementById(`${prefix}-${next.id}`)?.focus()
  }
  return (
    <div className="stack">
      <div className={css.tabs} role="tablist" aria-label={label} tabIndex={-1} onKeyDown={move}>
        {tabs.map((tab) => (
          <button
            key={tab.id}
            type="button"
            role="tab"
            id={`${prefix}-${tab.id}`}
            aria-selected={tab === current}
            aria-controls={`${prefix}-panel`}
            tabIndex={tab === current ? 0 : -1}
            onClick={() => choose(tab.id)}
          >
            {tab.title}
          </button>
        ))}
      </div>
      <div
        className="stack"
        role="tabpanel"
        id={`${prefix}-panel`}
        aria-labelledby={`${prefix}-${current?.id}`}
      >
        {current?.content()}
      </div>
    </div>
  )
}
