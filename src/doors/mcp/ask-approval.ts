// The approval of a send as the protocol's own request for input: the client shows its user the way to the dashboard, and calls the tool again.
// What the client answers decides nothing, because the program that sends could answer in place of a person: the decision is read from the
// message, where the dashboard, another key or the phone has put it.
import { setTimeout as pause } from 'node:timers/promises'
import {
  CLIENT_CAPABILITIES_META_KEY,
  type ClientCapabilities,
  type InputRequiredResult,
  inputRequired,
  type ServerContext,
} from '@modelcontextprotocol/server'
import { z } from 'zod'
import type { Client } from '../../contract/client.ts'
import type { ToolResult } from './tool.ts'
import { type Sent, sentResult } from './tools/fields.ts'

type McpRequest = ServerContext['mcpReq']
type SentResult = ToolResult<z.output<typeof Sent>>

/** A person who has pressed the button on the dashboard may be ahead of the worker that notices it. */
const TRIES = 6
const TRY_MS = 500

/** Comes back from the client as text of a stranger: it only names a message, which is read with the key of the agent. */
const State = z.strictObject({ instance: z.string().min(1).max(128), messageId: z.string().min(1).max(128) })

/** The request for input; undefined: the client cannot be asked, and the send waits in the outbox. Clients of 2025 have no envelope. */
export function askForApproval(
  { envelope }: McpRequest,
  approvalsUrl: string,
  pending: z.input<typeof State>,
): InputRequiredResult | undefined {
  const { elicitation } = capabilitiesIn(envelope)
  if (elicitation === undefined) return undefined
  const requestState = JSON.stringify(pending)
  const message = `The message ${pending.messageId} waits until a person approves it on the dashboard.`
  const approval = elicitation.url
    ? inputRequired.elicitUrl({ message, url: approvalsUrl })
    : inputRequired.elicit({
        message: `${message} Open ${approvalsUrl}, decide, and go on here.`,
        requestedSchema: { type: 'object', properties: {} },
      })
  return inputRequired({ inputRequests: { approval }, requestState })
}

/** The SDK has checked the form, and does not declare it. */
const capabilitiesIn = (envelope: McpRequest['envelope']): ClientCapabilities =>
  ((envelope as Record<string, unknown> | undefined)?.[CLIENT_CAPABILITIES_META_KEY] as
    | ClientCapabilities
    | undefined) ?? {}

/** The outcome of a send that the client was asked about; undefined: this call is a first one. */
export async function approvalAsked(api: Client, request: McpRequest): Promise<SentResult | undefined> {
  const text = request.requestState<string>()
  if (text === undefined) return undefined
  const { instance, messageId } = State.parse(parsed(text))
  const isGoingOn = Object.values(request.inputResponses ?? {}).some(
    (response) => (response as { action?: unknown } | null)?.action === 'accept',
  )
  const read = async () =>
    (await api.getMessage({ params: { messageId }, query: { instanceName: instance } })).message
  let message = await read()
  const tries = isGoingOn ? TRIES : 0
  for (let done = 0; done < tries && message.status === 'awaiting_approval'; done += 1) {
    await pause(TRY_MS, undefined, { signal: request.signal })
    message = await read()
  }
  const { chat, status, failure } = message
  return sentResult({ messageId, chat, status, failure })
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
