// The connection of an instance with the help desk Chatwoot: its state, its settings, and the history that is handed over.
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { Link } from 'wouter'
import { api } from '../../../gateway/api.ts'
import { chatwootQuery, webhooksQuery } from '../../../gateway/queries.ts'
import { Badge } from '../../../ui/badge.tsx'
import { Button } from '../../../ui/button.tsx'
import { Card, Facts } from '../../../ui/card.tsx'
import { ConfirmDialog } from '../../../ui/confirm-dialog.tsx'
import { useFormat, useTexts } from '../../../ui/language.tsx'
import { Loaded } from '../../../ui/page-head.tsx'
import { useErrorText } from '../../../ui/refusals/error-text.ts'
import { useToasts } from '../../../ui/toast.tsx'
import type { ShownBridge } from './chatwoot-fields.ts'
import { ChatwootForm } from './chatwoot-form.tsx'
import { HistoryDialog } from './history-dialog.tsx'
import { chatwootTexts } from './texts/chatwoot-texts.ts'

export function ChatwootCard({ instanceName }: { instanceName: string }) {
  const t = useTexts(chatwootTexts)
  // The list shows whether there is a connection, without a request that is refused where there is none.
  const webhooks = useQuery(webhooksQuery)
  const [isOpen, setIsOpen] = useState(false)
  return (
    <Card title={t.title}>
      <Loaded query={webhooks}>
        {({ webhooks: list }) =>
          list.some((one) => one.format === 'chatwoot' && one.instance?.apiInstanceName === instanceName) ? (
            <Connected instanceName={instanceName} />
          ) : (
            <>
              <p className="muted">{t.lead}</p>
              <div className="row">
                <Button onClick={() => setIsOpen(true)}>{t.connect}</Button>
              </div>
            </>
          )
        }
      </Loaded>
      {isOpen ? <ChatwootForm instanceName={instanceName} onClose={() => setIsOpen(false)} /> : null}
    </Card>
  )
}

function Connected({ instanceName }: { instanceName: string }) {
  const t = useTexts(chatwootTexts)
  const query = useQuery(chatwootQuery(instanceName))
  return (
    <Loaded query={query}>
      {({ bridge }) => (
        <>
          <Facts
            facts={[
              [t.state, <State key="state" bridge={bridge} />],
              [
                t.url,
                <span key="url" className="mono wrap">
                  {bridge.url}
                </span>,
              ],
              [t.inbox, `${bridge.inboxName} (${bridge.inboxId})`],
            ]}
          />
          {bridge.isSigned ? null : <div className="note warn">{t.notSigned}</div>}
          <Link className="small" href={`/webhooks/${bridge.webhookId}`}>
            {t.deliveries}
          </Link>
          <Actions instanceName={instanceName} bridge={bridge} />
        </>
      )}
    </Loaded>
  )
}

function State({ bridge: { enabled, failingSince } }: { bridge: ShownBridge }) {
  const t = useTexts(chatwootTexts)
  const format = useFormat()
  if (!enabled) return <Badge>{t.states.disabled}</Badge>
  if (failingSince === null) return <Badge tone="good">{t.states.good}</Badge>
  return (
    <span className="stack close">
      <span>
        <Badge tone="warn">{t.states.failing}</Badge>
      </span>
      <span className="muted small">{t.failingSince(format.dateTime(failingSince))}</span>
    </span>
  )
}

function Actions({ instanceName, bridge }: { instanceName: string; bridge: ShownBridge }) {
  const t = useTexts(chatwootTexts)
  const errorText = useErrorText()
  const [requested, ask] = useState<'edit' | 'history' | 'remove'>()
  const close = () => ask(undefined)
  const test = useMutation({
    mutationFn: () => api.testWebhook({ params: { id: String(bridge.webhookId) } }),
  })
  const error = test.error ? errorText(test.error) : (test.data?.attempt.error ?? undefined)
  return (
    <>
      <div className="row">
        <Button busy={test.isPending} onClick={() => test.mutate()}>
          {t.test}
        </Button>
        <Button onClick={() => ask('history')}>{t.history}</Button>
        <Button onClick={() => ask('edit')}>{t.edit}</Button>
        <Button kind="danger" onClick={() => ask('remove')}>
          {t.remove}
        </Button>
      </div>
      {error === undefined ? null : (
        <div className="note bad" role="alert">
          {error}
        </div>
      )}
      {test.data?.delivered ? (
        <div className="note good" role="status">
          {t.testPassed}
        </div>
      ) : null}
      {requested === 'edit' ? (
        <ChatwootForm instanceName={instanceName} bridge={bridge} onClose={close} />
      ) : null}
      {requested === 'history' ? <HistoryDialog instanceName={instanceName} onClose={close} /> : null}
      {requested === 'remove' ? <RemoveDialog instanceName={instanceName} onClose={close} /> : null}
    </>
  )
}

function RemoveDialog({ instanceName, onClose }: { instanceName: string; onClose(): void }) {
  const t = useTexts(chatwootTexts)
  const toasts = useToasts()
  const queries = useQueryClient()
  const remove = useMutation({
    mutationFn: () => api.deleteChatwoot({ params: { instanceName } }),
    onSuccess() {
      toasts.done(t.removed)
      onClose()
      void queries.invalidateQueries({ queryKey: ['webhooks'], exact: true })
    },
  })
  return (
    <ConfirmDialog
      title={t.removeTitle}
      text={t.removeText}
      action={t.remove}
      work={remove}
      onClose={onClose}
    />
  )
}
