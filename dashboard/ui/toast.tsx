// Toasts: confirmations disappear after a while, errors stay until they are dismissed.

import { createContext, type ReactNode, useCallback, useContext, useMemo, useRef, useState } from 'react'
import { Button } from './button.tsx'
import { classNames } from './class-names.ts'
import { useTexts } from './language.tsx'
import { useErrorText } from './refusals/error-text.ts'
import { uiTexts } from './texts/ui-texts.ts'
import css from './toast.module.css'

const SHOWN_MS = 6000

interface Notice {
  id: number
  text: string
  bad: boolean
}
interface Toasts {
  done(text: string): void
  failed(error: unknown): void
}
const ToastContext = createContext<Toasts>({ done: () => undefined, failed: () => undefined })

export const useToasts = (): Toasts => useContext(ToastContext)

export function ToastProvider({ children }: { children: ReactNode }) {
  const t = useTexts(uiTexts)
  const errorText = useErrorText()
  const [notices, setNotices] = useState<readonly Notice[]>([])
  const count = useRef(0)
  const drop = useCallback((id: number) => setNotices((all) => all.filter((notice) => notice.id !== id)), [])
  const toasts = useMemo<Toasts>(() => {
    const show = (text: string, bad: boolean) => {
      const id = (count.current += 1)
      setNotices((all) => [...all.slice(-3), { id, text, bad }])
      if (!bad) setTimeout(() => drop(id), SHOWN_MS)
    }
    return { done: (text) => show(text, false), failed: (error) => show(errorText(error), true) }
  }, [errorText, drop])
  return (
    <ToastContext value={toasts}>
      {children}
      <div className={css.toasts} role="status" aria-live="polite">
        {notices.map(({ id, text, bad }) => (
          <div key={id} className={classNames(css.toast, bad && css.bad)}>
            <span className="wrap">{text}</span>
            <Button kind="quiet" small aria-label={t.dismiss} onClick={() => drop(id)}>
              ✕
            </Button>
          </div>
        ))}
      </div>
    </ToastContext>
  )
}
