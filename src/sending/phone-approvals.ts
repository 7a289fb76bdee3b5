// Approval on the owner's phone: asks about each waiting send once, in the chat of the instance with itself, and takes the answer that
// the owner writes there.
import { actionLines } from '../contract/action-lines.ts'
import type { Deps } from '../domain/deps.ts'
import type { ReceivedMessage } from '../network/message.ts'
import { textOf } from '../rules/event-payloads.ts'
import { answeredSend, questionText, readPhoneAnswer } from '../rules/phone-answer.ts'
import { findMessagesOf } from '../store/queries/messages.ts'
import * as rows from './approval-queries.ts'
import { type ApprovalDeps, decide } from './approvals.ts'
import { sendAutomatically } from './automatic.ts'

type AskDeps = Pick<Deps, 'store' | 'clock' | 'wakeSending' | 'trace'>
type DueQuestion = Awaited<ReturnType<typeof rows.listDueQuestions>>[number]

export const MAX_QUESTIONS = 50
/** A question that is not accepted, because the instance is logged out or the plan is used up, is tried again after this time. */
const RETRY_MS = 60_000

/**
 * Hands due questions to the outbox, and returns how many. A crash before the question is marked as asked repeats this: the question
 * has its message id since the send was accepted, so that it is not asked twice.
 */
export async function askOnPhones(deps: AskDeps, nodeId?: number): Promise<number> {
  const { store, clock } = deps
  const due = await rows.listDueQuestions(store.db, clock(), nodeId, MAX_QUESTIONS)
  for (const question of due)
    await rows.setAskAt(store.db, question, (await ask(deps, question)) ? null : clock() + RETRY_MS)
  return due.length
}

async function ask(deps: AskDeps, question: DueQuestion): Promise<boolean> {
  const { instanceId, messageId, questionId, code, own } = question
  if (questionId === null || code === null) return true
  // The outbox remembers a key for a day; the message itself is remembered longer.
  if ((await findMessagesOf(deps.store.db, instanceId, questionId)).length > 0) return true
  if (own === null) return false
  const content = JSON.parse(question.content) as Record<string, unknown>
  const { number, chat, chatName, kind } = question
  const address = number === null ? chat : `+${number}`
  const text = questionText({
    code,
    keyName: question.keyName ?? '',
    to: chatName === null ? address : `${chatName.slice(0, 30)} (${address})`,
    kind,
    text: shownContent(content),
    actions: actionLines(content),
  })
  const key = `approval\n${instanceId}\n${messageId}`
  return sendAutomatically(deps, instanceId, { to: { number: own }, text, key, messageId: questionId })
}

/** What a person needs to decide about it, as text. */
function shownContent(content: Record<string, unknown>): string | null {
  const parts = [textOf(content), content['emoji'], content['mediaUrl']]
  const texts = parts.filter((part) => typeof part === 'string' && part !== '')
  return texts.length === 0 ? null : texts.join('\n')
}

/** Decides a waiting send if the message is the owner's answer. Can be repeated: a send is decided once. */
export async function takePhoneAnswer(
  deps: ApprovalDeps,
  instanceId: number,
  message: ReceivedMessage,
): Promise<void> {
  const answer = readPhoneAnswer(message)
  if (!answer) return
  const send = answeredSend(answer, await rows.listAsked(deps.store.db, instanceId, answer))
  if (!send) return
  const { approve, reason } = answer
  await decide(
    deps,
    { instanceId, messageId: send.messageId },
    approve ? { approve } : { approve, reason },
    'phone',
  )
}
