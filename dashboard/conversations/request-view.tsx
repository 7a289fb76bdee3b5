// The request that a form stands for, as it changes: its JSON body and the command line, each to copy.
import { useState } from 'react'
import { useTexts } from '../language.tsx'
import { conversationTexts } from '../texts/conversations.ts'
import { uiTexts } from '../texts/ui.ts'
import { Button } from '../ui/button.tsx'
import { Tabs } from '../ui/tabs.tsx'
import { useToasts } from '../ui/toast.tsx'
import { curlOf } from './send-body.ts'

const KEPT_AS = 'switchboard.request-shown'

export function RequestView({ path, body }: { path: string; body: unknown }) {
  const t = useTexts(conversationTexts)
  // Narrow screens have no room for it unasked.
  const [isOpen, setOpen] = useState(
    () => (localStorage.getItem(KEPT_AS) ?? String(matchMedia('(min-width: 1100px)').matches)) === 'true',
  )
  return (
    <details
      className="request"
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
    <div className="request-text">
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
