// The scheduled messages of all instances, or of one: what is sent when and to whom, with a way to cancel it.

import { keepPreviousData, queryOptions, useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useMemo, useState } from 'react'
import { useLocation } from 'wouter'
import { api } from '../../../gateway/api.ts'
import { instancesQuery, pollMs } from '../../../gateway/queries.ts'
import { useCan } from '../../../gateway/sign-in.ts'
import { ButtonLink } from '../../../ui/button.tsx'
import { ConfirmDialog } from '../../../ui/confirm-dialog.tsx'
import { EmptyState } from '../../../ui/empty-state.tsx'
import { useFormat, useTexts } from '../../../ui/language.tsx'
import { Menu } from '../../../ui/menu.tsx'
import { Loaded, PageHead } from '../../../ui/page-head.tsx'
import { Table } from '../../../ui/table.tsx'
import { uiTexts } from '../../../ui/texts/ui-texts.ts'
import { useToasts } from '../../../ui/toast.tsx'
import { InstancePicker } from '../../instances/instance-picker.tsx'
import { addressOfSelection, useSelection } from '../model/chat-address.ts'
import { useTitles } from '../model/chat-title.ts'
import { useExcerpt } from '../model/message-excerpt.ts'
import { keyOf, type Message } from '../model/message-fields.ts'
import { shownMessages } from '../model/shown-messages.ts'
import { actionTexts } from '../texts/action-texts.ts'
import css from './scheduled-page.module.css'

const A_PAGE = 50

/** Events of messages invalidate `messages`, so the list follows what is scheduled, sent and cancelled. */
const scheduledQuery = (instanceName: string | undefined, page: number) =>
  queryOptions({
    queryKey: ['messages', 'scheduled', instanceName, page],
    queryFn: ({ signal }) =>
      api.listMessages(
        {
          query: {
            status: 'scheduled',
            page: String(page),
            limit: String(A_PAGE),
            ...(instanceName === undefined ? {} : { instanceName }),
          },
        },
        { signal },
      ),
    placeholderData: keepPreviousData,
    refetchInterval: pollMs,
  })

const addressOfList = (instanceName: string): string =>
  instanceName === ''
    ? '/conversations/scheduled'
    : `/conversations/scheduled?${new URLSearchParams({ instance: instanceName }).toString()}`

export function ScheduledPage() {
  const { scheduled: t } = useTexts(actionTexts)
  const [, go] = useLocation()
  const { instanceName } = useSelection().selection
  return (
    <>
      <PageHead
        title={t.title}
        lead={t.lead}
        actions={
          <>
            <div className={css.picker}>
              <InstancePicker
                bare
                label={t.instance}
                value={instanceName ?? ''}
                all={t.allInstances}
                onChange={(name) => go(addressOfList(name))}
              />
            </div>
            <ButtonLink href={addressOfSelection({ instanceName, open: undefined })}>{t.back}</ButtonLink>
          </>
        }
      />
      <Scheduled key={instanceName} instanceName={instanceName} />
    </>
  )
}

function Scheduled({ instanceName }: { instanceName: string | undefined }) {
  const { scheduled: t } = useTexts(actionTexts)
  const [page, setPage] = useState(1)
  const query = useQuery(scheduledQuery(instanceName, page))
  return (
    <Loaded query={query}>
      {({ messages, hasMore }) =>
        messages.length === 0 && page === 1 ? (
          <EmptyState
            icon="conversations"
            title={t.empty}
            action={<ButtonLink href="/conversations">{t.toConversations}</ButtonLink>}
          >
            {t.emptyText}
          </EmptyState>
        ) : (
          <ScheduledTable messages={messages} paging={{ page, hasMore, onPage: setPage }} />
        )
      }
    </Loaded>
  )
}

interface TableProps {
  messages: readonly Message[]
  paging: { page: number; hasMore: boolean; onPage(page: number): void }
}

function ScheduledTable({ messages, paging }: TableProps) {
  const { scheduled: t } = useTexts(actionTexts)
  const ui = useTexts(uiTexts)
  const format = useFormat()
  const excerpt = useExcerpt()
  const [, go] = useLocation()
  const can = useCan()
  const [cancelling, cancel] = useState<Message>()
  const titleOf = useTitles(messages)
  const { data } = useQuery(instancesQuery)
  const displayName = (name: string) =>
    data?.instances.find(({ apiInstanceName }) => apiInstanceName === name)?.displayName ?? name
  const records = useMemo(() => shownMessages({ messages }), [messages])
  return (
    <>
      <Table
        label={t.title}
        records={records}
        keyOf={({ message }) => `${message.instanceName} ${keyOf(message)}`}
        paging={paging}
        columns={[
          {
            title: t.columns.at,
            cell: ({ message }) => <span className="number nowrap">{format.dateTime(message.sendAt)}</span>,
          },
          {
            title: t.columns.to,
            cell: ({ message }) => <strong className="wrap">{titleOf(message)}</strong>,
          },
          {
            title: t.columns.message,
            cell: (shown) => <span className="wrap">{excerpt(shown)}</span>,
          },
          {
            title: t.columns.instance,
            cell: ({ message }) => <span className="muted wrap">{displayName(message.instanceName)}</span>,
          },
          {
            title: ui.actions,
            actions: true,
            cell: ({ message }) => (
              <Menu
                label={t.actionsFor(titleOf(message))}
                items={[
                  { title: t.open, onChoose: () => go(addressOfMessage(message)) },
                  ...(can('cancelMessage')
                    ? [{ title: t.cancel, danger: true, onChoose: () => cancel(message) }]
                    : []),
                ]}
              />
            ),
          },
        ]}
      />
      {cancelling ? (
        <CancelDialog message={cancelling} title={titleOf(cancelling)} onClose={() => cancel(undefined)} />
      ) : null}
    </>
  )
}

const addressOfMessage = (message: Message): string =>
  addressOfSelection({
    instanceName: message.instanceName,
    open: { instanceName: message.instanceName, chat: message.chat },
  })

function CancelDialog({ message, title, onClose }: { message: Message; title: string; onClose(): void }) {
  const { scheduled: t } = useTexts(actionTexts)
  const toasts = useToasts()
  const queries = useQueryClient()
  const cancel = useMutation({
    mutationFn: () =>
      api.cancelMessage({
        params: { messageId: message.messageId },
        query: { instanceName: message.instanceName },
      }),
    async onSuccess() {
      toasts.done(t.cancelled)
      await queries.invalidateQueries({ queryKey: ['messages', 'scheduled'] })
      onClose()
    },
  })
  return (
    <ConfirmDialog
      title={t.cancelTitle}
      text={t.cancelText(title)}
      action={t.cancel}
      work={cancel}
      onClose={onClose}
    />
  )
}
