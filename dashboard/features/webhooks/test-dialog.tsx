// Sends a test event to a webhook or a destination and shows the response.
import { useMutation } from '@tanstack/react-query'
import { useEffect, useRef } from 'react'
import type { api } from '../../gateway/api.ts'
import { Button } from '../../ui/button.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { useTexts } from '../../ui/language.tsx'
import { ErrorNote } from '../../ui/page-head.tsx'
import { readable, TextBlock } from '../../ui/text-block.tsx'
import { uiTexts } from '../../ui/texts/ui-texts.ts'
import { AttemptView, headerLines } from './attempt-view.tsx'
import { webhookTexts } from './texts/webhook-texts.ts'

export interface TestDialogProps {
  name: string
  url: string
  send(): ReturnType<typeof api.testWebhook>
  onClose(): void
}

export function TestDialog({ name, url, send, onClose }: TestDialogProps) {
  const t = useTexts(webhookTexts)
  const ui = useTexts(uiTexts)
  const test = useMutation({ mutationFn: send })
  const { mutate } = test
  const started = useRef(false)
  useEffect(() => {
    // Strict mode runs effects twice, but the receiver must get one test.
    if (started.current) return
    started.current = true
    mutate()
  }, [mutate])
  const { data, error, isPending } = test
  return (
    <Dialog title={t.testTitle(name)} onClose={onClose}>
      <div aria-live="polite" className="stack">
        <p className="muted mono wrap">{url}</p>
        {isPending ? <p className="muted">{t.testing}</p> : null}
        {error ? <ErrorNote error={error} /> : null}
        {data && !isPending ? (
          <>
            <div className={`note ${data.delivered ? 'good' : 'bad'}`}>
              {data.delivered ? t.testDelivered : t.testFailed}
            </div>
            <AttemptView attempt={data.attempt} />
            <details>
              <summary>{t.headers}</summary>
              <TextBlock label={t.headers} text={headerLines(data.request.headers)} />
            </details>
            <details>
              <summary>{t.body}</summary>
              <TextBlock label={t.body} text={readable(data.request.body)} copied={data.request.body} />
            </details>
          </>
        ) : null}
      </div>
      <div className="row end">
        <Button busy={isPending} onClick={() => mutate()}>
          {t.testAgain}
        </Button>
        <Button kind="primary" onClick={onClose}>
          {ui.close}
        </Button>
      </div>
    </Dialog>
  )
}
