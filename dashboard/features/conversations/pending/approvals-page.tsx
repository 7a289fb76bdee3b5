// The sends of keys that wait for a person: what is sent to whom, with a way to approve or reject each.
import { keepPreviousData, queryOptions, useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useMemo, useState } from 'react'
import { api } from '../../../gateway/api.ts'
import { pollMs } from '../../../gateway/queries.ts'
import { Button } from '../../../ui/button.tsx'
import { EmptyState } from '../../../ui/empty-state.tsx'
import { TextField } from '../../../ui/fields.tsx'
import { FormDialog } from '../../../ui/form-dialog.tsx'
import { useFormat, useTexts } from '../../../ui/language.tsx'
import { onDemand } from '../../../ui/on-demand.tsx'
import { Loaded, PageHead } from '../../../ui/page-head.tsx'
import { useFieldFault } from '../../../ui/refusals/error-text.ts'
import { Table } from '../../../ui/table.tsx'
import { uiTexts } from '../../../ui/texts/ui-texts.ts'
import { useToasts } from '../../../ui/toast.tsx'
import { useTitles } from '../model/chat-title.ts'
import { useExcerpt } from '../model/message-excerpt.ts'
import { addressOf, keyOf, type Message } from '../model/message-fields.ts'
import { shownMessages } from '../model/shown-messages.ts'
import { actionTexts } from '../texts/action-texts.ts'

const ApprovalDialog = onDemand(async () => (await import('./approval-dialog.tsx')).ApprovalDialog)

const A_PAGE = 50

/** Events of messages invalidate `messages`, so the list follows what is requested and decided. */
const approvalsQuery = (page: number) =>
  queryOptions({
    queryKey: ['messages', 'awaiting_approval', page],
    queryFn: ({ signal }) =>
      api.listMessages(
        { query: { status: 'awaiting_approval', page: String(page), limit: String(A_PAGE) } },
        { signal },
      ),
    placeholderData: keepPreviousData,
    refetchInterval: pollMs,
  })

export function ApprovalsPage() {
  const { approvals: t } = useTexts(actionTexts)
  const [page, setPage] = useState(1)
  const query = useQuery(approvalsQuery(page))
  return (
    <>
      <PageHead title={t.title} lead={t.lead} />
      <Loaded query={query}>
        {({ messages, hasMore }) =>
          messages.length === 0 && page === 1 ? (
            <EmptyState icon="approvals" title={t.empty}>
              {t.emptyText}
            </EmptyState>
          ) : (
            <Waiting messages={messages} paging={{ page, hasMore, onPage: setPage }} />
          )
        }
      </Loaded>
    </>
  )
}

interface WaitingProps {
  messages: readonly Message[]
  paging: { page: number; hasMore: boolean; onPage(page: number): void }
}

function Waiting({ messages, paging }: WaitingProps) {
  const { approvals: t } = useTexts(actionTexts)
  const ui = useTexts(uiTexts)
  const format = useFormat()
  const excerpt = useExcerpt()
  const titleOf = useTitles(messages)
  const [rejecting, reject] = useState<Message>()
  const [opened, open] = useState<Message>()
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
            cell: ({ message }) => (
              <span className="number nowrap">{format.dateTime(message.createdAt)}</span>
            ),
          },
          {
            title: t.columns.to,
            cell: ({ message }) => <strong className="wrap">{titleOf(message)}</strong>,
          },
          {
            title: t.columns.message,
            cell: (shown) => (
              <span className="wrap">
                {excerpt(shown)}{' '}
                <Button kind="quiet" small onClick={() => open(shown.message)}>
                  {t.showAll}
                </Button>
              </span>
            ),
          },
          {
            title: ui.actions,
            actions: true,
            cell: ({ message }) => (
              <span className="row end">
                <Approve message={message} />
                <Button small onClick={() => reject(message)}>
                  {t.reject}
                </Button>
              </span>
            ),
          },
        ]}
      />
      {opened ? (
        <ApprovalDialog
          message={opened}
          title={titleOf(opened)}
          onReject={() => {
            open(undefined)
            reject(opened)
          }}
          onClose={() => open(undefined)}
        />
      ) : null}
      {rejecting ? <RejectDialog message={rejecting} onClose={() => reject(undefined)} /> : null}
    </>
  )
}

function Approve({ message }: { message: Message }) {
  const { approvals: t } = useTexts(actionTexts)
  const toasts = useToasts()
  const queries = useQueryClient()
  const approve = useMutation({
    mutationFn: () => api.approveMessage(addressOf(message)),
    onSuccess: () => toasts.done(t.approved),
    onError: toasts.failed,
    onSettled: () => queries.invalidateQueries({ queryKey: ['messages'] }),
  })
  return (
    <Button small disabled={approve.isPending} onClick={() => approve.mutate()}>
      {t.approve}
    </Button>
  )
}

function RejectDialog({ message, onClose }: { message: Message; onClose(): void }) {
  const { approvals: t } = useTexts(actionTexts)
  const fault = useFieldFault()
  const toasts = useToasts()
  const queries = useQueryClient()
  const [reason, setReason] = useState('')
  const reject = useMutation({
    mutationFn: () =>
      api.rejectMessage({
        ...addressOf(message),
        body: reason.trim() === '' ? {} : { reason: reason.trim() },
      }),
    async onSuccess() {
      toasts.done(t.rejected)
      await queries.invalidateQueries({ queryKey: ['messages'] })
      onClose()
    },
  })
  return (
    <FormDialog
      title={t.rejectTitle}
      action={t.reject}
      isPending={reject.isPending}
      onSubmit={() => reject.mutate()}
      onClose={onClose}
    >
      <TextField
        label={t.reason}
        hint={t.reasonHint}
        fault={fault(reject.error, 'reason')}
        maxLength={200}
        value={reason}
        onChange={setReason}
      />
    </FormDialog>
  )
}
