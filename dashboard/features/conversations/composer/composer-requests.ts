// What the composer sends: the calls, and how they are made.
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { omitUndefined } from '../../../../src/contract/omit-undefined.ts'
import type { OpenChat } from '../model/chat-address.ts'
import { rereadConversation } from '../model/conversation-queries.ts'
import { requestsFor } from './attachments.ts'
import type { SendRecipient } from './send-body.ts'
import type { SendForm } from './send-forms.ts'
import type { SendRequest } from './send-request.ts'
import type { Attachments } from './use-attachments.ts'
import { keptSends } from './use-kept-sends.ts'

interface Composed {
  open: OpenChat
  form: SendForm
  body: Record<string, unknown>
  recipient: SendRecipient
  attachments: Attachments
}

/** The calls that send what is in the composer. */
export function requestsOf({ open, form, body, recipient, attachments }: Composed): SendRequest[] {
  const text = typeof body.message === 'string' ? body.message : ''
  if (attachments.list.length === 0) {
    const { route, path } = form
    return [{ ...open, route, path, body, text }]
  }
  const { quotedMessageId, mentions, sendAt, expiresAt, delay } = body
  const common = omitUndefined({ quotedMessageId, mentions, sendAt, expiresAt })
  return requestsFor({
    chat: open.chat,
    files: attachments.uploaded,
    caption: text,
    recipient,
    common,
    delay,
  })
}

interface SendHandlers {
  /** After each message. */
  onSent(request: SendRequest): void
  onDone(): void
}

/** A message that does not reach the gateway is kept, and counts as sent for the form. */
export function useSend(open: OpenChat, { onSent, onDone }: SendHandlers) {
  const queries = useQueryClient()
  return useMutation({
    networkMode: 'always',
    async mutationFn(requests: readonly SendRequest[]) {
      for (const request of requests) {
        await keptSends.send(request)
        onSent(request)
      }
    },
    onSuccess() {
      onDone()
      void rereadConversation(queries, open)
    },
  })
}
