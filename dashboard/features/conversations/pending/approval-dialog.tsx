// One send that waits for approval, as the recipient will get it: text, files, and what was written in the chat before. The text can be edited.
import { queryOptions, useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { type ReactNode, useState } from 'react'
import type { z } from 'zod'
import type { Approval as ApprovalSchema } from '../../../../src/contract/approvals.ts'
import { api } from '../../../gateway/api.ts'
import { AreaField } from '../../../ui/area-field.tsx'
import { Button } from '../../../ui/button.tsx'
import { Dialog } from '../../../ui/dialog.tsx'
import { Form } from '../../../ui/fields.tsx'
import { useFormat, useTexts } from '../../../ui/language.tsx'
import { ErrorNote, Loaded } from '../../../ui/page-head.tsx'
import { useFieldFault } from '../../../ui/refusals/error-text.ts'
import { uiTexts } from '../../../ui/texts/ui-texts.ts'
import { useToasts } from '../../../ui/toast.tsx'
import { MessageContent } from '../message/message-content.tsx'
import { type ShownKind, shownType } from '../message/message-file.ts'
import { MessageText } from '../message/message-parts.tsx'
import { useSize } from '../message/use-file.ts'
import { addressOf, type Message, quoteOf, senderOf, textAt, textsAt } from '../model/message-fields.ts'
import { shownMessages, type ThreadMessage } from '../model/shown-messages.ts'
import { actionTexts } from '../texts/action-texts.ts'
import { conversationTexts } from '../texts/conversation-texts.ts'
import css from './approval-dialog.module.css'

type Approval = z.output<typeof ApprovalSchema>

/** Events of messages invalidate `messages`: what another person decides meanwhile shows here. */
const approvalQuery = (message: Message) =>
  queryOptions({
    queryKey: ['messages', 'approval', message.instanceName, message.messageId],
    queryFn: ({ signal }) => api.getApproval(addressOf(message), { signal }),
  })

interface ApprovalDialogProps {
  message: Message
  title: string
  onReject(): void
  onClose(): void
}

export function ApprovalDialog({ message, title, ...choices }: ApprovalDialogProps) {
  const { approvals: t } = useTexts(actionTexts)
  const query = useQuery(approvalQuery(message))
  return (
    <Dialog title={t.openTitle(title)} side onClose={choices.onClose}>
      {query.data && query.error ? <ErrorNote error={query.error} /> : null}
      <Loaded query={query}>
        {({ approval }) => <Waiting key={approval.version} approval={approval} {...choices} />}
      </Loaded>
    </Dialog>
  )
}

type WaitingProps = Pick<ApprovalDialogProps, 'onReject' | 'onClose'> & { approval: Approval }

function Waiting({ approval, onReject, onClose }: WaitingProps) {
  const { approvals: t } = useTexts(actionTexts)
  const ui = useTexts(uiTexts)
  const fault = useFieldFault()
  const toasts = useToasts()
  const queries = useQueryClient()
  const { message, text: editable, version } = approval
  const [text, setText] = useState(editable?.value ?? '')
  const isEdited = editable !== null && text !== editable.value
  const approve = useMutation({
    mutationFn: () =>
      api.approveMessage({ ...addressOf(message), body: { version, ...(isEdited && { text }) } }),
    async onSuccess() {
      toasts.done(t.approved)
      onClose()
      await queries.invalidateQueries({ queryKey: ['messages'] })
    },
  })
  const textFault = fault(approve.error, 'text')
  return (
    <Form onSubmit={() => approve.mutate()}>
      <Facts approval={approval} />
      <Recent messages={approval.recentMessages} />
      <Part title={t.message}>
        <Sent approval={approval} text={text} />
      </Part>
      {editable ? (
        <AreaField
          label={t.editText}
          rows={4}
          maxLength={editable.maxLength}
          value={text}
          onChange={setText}
          fault={textFault}
        />
      ) : (
        <p className="muted small">{t.noText}</p>
      )}
      {approve.error && textFault === undefined ? <ErrorNote error={approve.error} /> : null}
      <div className={css.choices}>
        <Button onClick={onClose}>{ui.cancel}</Button>
        <Button onClick={onReject}>{t.reject}</Button>
        <Button
          kind="primary"
          submit
          busy={approve.isPending}
          disabled={editable !== null && text.length < editable.minLength}
        >
          {isEdited ? t.approveEdited : t.approve}
        </Button>
      </div>
    </Form>
  )
}

const Part = ({ title, children }: { title: string; children: ReactNode }) => (
  <section className={css.part}>
    <h3>{title}</h3>
    {children}
  </section>
)

function Facts({ approval }: { approval: Approval }) {
  const { approvals: t } = useTexts(actionTexts)
  const format = useFormat()
  const { message, key, chatName } = approval
  const address = message.number === null ? message.chat : `+${message.number}`
  const facts: [title: string, value: string][] = [
    [t.columns.to, chatName === null ? address : `${chatName} (${address})`],
    [t.key, key.name ?? `${key.id}`],
    [t.instance, message.instanceName],
    [t.columns.at, format.dateTime(approval.requestedAt)],
    ...(message.sendAt === null ? [] : [[t.sendAt, format.dateTime(message.sendAt)] as [string, string]]),
    [t.approveBy, format.dateTime(approval.approveBy)],
  ]
  return (
    <dl className={css.facts}>
      {facts.map(([title, value]) => (
        <div key={title}>
          <dt>{title}</dt>
          <dd className="wrap">{value}</dd>
        </div>
      ))}
    </dl>
  )
}

function Recent({ messages }: { messages: readonly Message[] }) {
  const { approvals: t } = useTexts(actionTexts)
  const conversation = useTexts(conversationTexts)
  const format = useFormat()
  if (messages.length === 0) return null
  return (
    <Part title={t.recent}>
      <ol className={css.recent}>
        {shownMessages({ messages }).map((shown) => (
          <li
            key={`${shown.message.direction} ${shown.message.messageId}`}
            data-direction={shown.message.direction}
          >
            <span className="muted small">
              {shown.message.direction === 'outgoing'
                ? conversation.you
                : (senderOf(shown.message.content)?.pushName ?? `+${shown.message.number ?? ''}`)}
              {' · '}
              {format.dateTime(shown.message.createdAt)}
            </span>
            <MessageContent shown={shown} />
          </li>
        ))}
      </ol>
    </Part>
  )
}

/** Changes of earlier messages are not shown as messages of their own elsewhere. */
function Sent({ approval, text }: { approval: Approval; text: string }) {
  const { approvals: t } = useTexts(actionTexts)
  const { message, target, files } = approval
  const { content, type } = message
  const quote = quoteOf(content)
  const does = t.does[type as keyof typeof t.does] as string | undefined
  return (
    <div className={css.sent}>
      {quote === null ? null : <blockquote>{quote.text ?? '…'}</blockquote>}
      {does === undefined ? null : <span className="muted small">{does}</span>}
      {target ? <blockquote>{shownMessages({ messages: [target] }).map(contentOf)}</blockquote> : null}
      {files.map((file) => (
        <StoredFile key={file.field} file={file} message={message} />
      ))}
      {FILES.has(type) && files.length === 0 ? <p className="muted">{t.noFile}</p> : null}
      {does !== undefined || FILES.has(type) ? (
        <MessageText text={textAt(content, 'emoji') ?? text} mentions={textsAt(content, 'mentions')} />
      ) : (
        <MessageContent shown={withText(approval, text)} />
      )}
      <Preview approval={approval} text={text} />
    </div>
  )
}

const FILES: ReadonlySet<Message['type']> = new Set(['image', 'video', 'document', 'audio', 'sticker'])
const contentOf = (shown: ThreadMessage) => <MessageContent key={shown.message.messageId} shown={shown} />

/** The message with the text as it is being edited. */
function withText({ message, text: editable }: Approval, text: string): ThreadMessage {
  const [outer = '', inner] = editable?.field.split('.') ?? []
  const value = inner === undefined ? text : { ...(message.content[outer] as object), [inner]: text }
  const content = editable ? { ...message.content, [outer]: value } : message.content
  const [shown] = shownMessages({ messages: [{ ...message, content }] })
  if (!shown) throw new Error('a change of another message is shown by what it does')
  return shown
}

const KINDS: readonly ShownKind[] = ['picture', 'video', 'audio']

/** The stored bytes, not what the address of the request serves by now. */
function StoredFile({ file, message }: { file: Approval['files'][number]; message: Message }) {
  const t = useTexts(conversationTexts)
  const size = useSize()
  const address = `/api/v1${file.path}`
  const kind =
    message.type === 'document' ? undefined : KINDS.find((one) => shownType(one, file.mimetype ?? ''))
  const name = file.fileName ?? textAt(message.content, 'fileName')
  return (
    <figure className={css.file}>
      {kind === 'picture' ? <img src={address} alt={t.imageAlt} /> : null}
      {kind === 'video' ? <video src={address} controls muted /> : null}
      {/* oxlint-disable-next-line jsx-a11y/media-has-caption -- a stored file has no captions */}
      {kind === 'audio' ? <audio src={address} controls /> : null}
      <figcaption className="muted small wrap">
        {[name, file.mimetype, size(file.sizeBytes)].filter(Boolean).join(' · ')}{' '}
        <a href={address} download={name ?? ''}>
          {t.download}
        </a>
      </figcaption>
    </figure>
  )
}

interface StoredPreview {
  url: string
  title: string
  description: string | null
  thumbnail: string | null
}

/** The preview that was fetched with the send. With another first link, the message is sent without it. */
function Preview({ approval, text }: { approval: Approval; text: string }) {
  const preview = approval.message.content.preview as unknown as StoredPreview | null | undefined
  if (!preview || !text.includes(preview.url)) return null
  return (
    <div className={css.preview}>
      {preview.thumbnail === null ? null : <img src={`data:image/jpeg;base64,${preview.thumbnail}`} alt="" />}
      <strong className="wrap">{preview.title}</strong>
      <span className="small wrap">{preview.description}</span>
      <span className="muted small wrap">{preview.url}</span>
    </div>
  )
}
