// The API request of a form, live: JSON body and curl command, each with a copy button.

import { useState } from 'react'
import { Button } from '../../../ui/button.tsx'
import { useTexts } from '../../../ui/language.tsx'
import { Tabs } from '../../../ui/tabs.tsx'
import { uiTexts } from '../../../ui/texts/ui-texts.ts'
import { useToasts } from '../../../ui/toast.tsx'
import { conversationTexts } from '../texts/conversation-texts.ts'
import css from './request-view.module.css'
import { curlOf } from './send-body.ts'

const KEPT_AS = 'switchboard.request-shown'

export function RequestView({ path, body }: { path: string; body: unknown }) {
  const t = useTexts(conversationTexts)
  // Closed by default on narrow screens.
  const [isOpen, setOpen] = useState(
    () => (localStorage.getItem(KEPT_AS) ?? String(matchMedia('(min-width: 1100px)').matches)) === 'true',
  )
  return (
    <details
      className={css.request}
      open={isOpen}
      onToggle={({ currentTarget }) => {
        localStorage.setItem(KEPT_AS, String(currentTarget.open))
        setOpen(currentTarget.open)
      }}
    >
      <summary>{t.asRequest}</summary>
      <Tabs
        label={t.asRequest}
        tabs={[
          {
            id: 'json',
            title: t.body,
            content: () => <Copied label={t.body} text={JSON.stringify(body, undefined, 2)} />,
          },
          {
            id: 'curl',
            title: t.curl,
            content: () => <Copied label={t.curl} text={curlOf(location.origin, path, body)} />,
          },
        ]}
      />
    </details>
  )
}

function Copied({ label, text }: { label: string; text: string }) {
  const ui = useTexts(uiTexts)
  const toasts = useToasts()
  async function copy() {
    try {
      await navigator.clipboard.writeText(text)
      toasts.done(ui.copied)
    } catch (error) {
      toasts.failed(error)
    }
  }
  return (
    <div className={css.requestText}>
      <Button small aria-label={`${ui.copy}: ${label}`} onClick={() => void copy()}>
        {ui.copy}
      </Button>
      {/* oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- it scrolls, and so must be reachable by keyboard */}
      <pre tabIndex={0} aria-label={label}>
        {text}
      </pre>
    </div>
  )
}
