// Approval on the owner's phone: the question that the owner gets in the chat with themselves, and the rule that decides whether a
// message is the answer.
import { randomInt } from 'node:crypto'
import type { ReceivedMessage } from '../network/message.ts'

/** Without letters and digits that look alike. */
const CODE_LETTERS = 'ABCDEFGHJKLMNPQRSTUVWXYZ23456789'
const CODE_LENGTH = 5
const MAX_QUOTED = 600
const MAX_NAME = 60
const MAX_REASON = 200

/** It names a send and is not a secret: only the owner's phone can answer. */
export const newApprovalCode = (): string =>
  Array.from({ length: CODE_LENGTH }, () => CODE_LETTERS[randomInt(CODE_LETTERS.length)]).join('')

export interface ApprovalQuestion {
  code: string
  keyName: string
  /** The number or the name of the chat. */
  to: string
  kind: string
  text: string | null
  /** What the recipient can press, a line each; shown whole, because the text above it may be long. */
  actions: readonly string[]
}

/** Names come from outside: one line, and not longer than a name. */
const oneLine = (text: string): string => flat(text).slice(0, MAX_NAME)
const flat = (text: string): string => text.replaceAll(/[\p{C}\s]+/gu, ' ')

/** What the program wrote is below the question, and every line of it is marked: it cannot pass for the question. */
export function questionText({ code, keyName, to, kind, text, actions }: ApprovalQuestion): string {
  const shown = text === null ? '' : text.slice(0, MAX_QUOTED) + (text.length > MAX_QUOTED ? '…' : '')
  const words = shown === '' ? [] : shown.split(/[\r\n\u2028\u2029]+/)
  const lines = [...words, ...actions.map(flat)].map((line) => `> ${line}`)
  return [
    `Approval: the key "${oneLine(keyName)}" wants to send (${kind}) to ${oneLine(to)}.`,
    `Reply "yes ${code}" to send it, or "no ${code}" to reject it.`,
    ...(lines.length === 0 ? [] : ['', ...lines]),
  ].join('\n')
}

const YES = new Set(['yes', 'sim', 'sí', 'si'])
const NO = new Set(['no', 'não', 'nao'])
const WORD = /^\p{L}+/u
const CODE = new RegExp(`^[${CODE_LETTERS}]{${CODE_LENGTH}}(?=$|[\\s.,:;!])`, 'i')
const PUNCTUATION = /^[\s.,:;!]+/

export interface PhoneAnswer {
  approve: boolean
  code: string | undefined
  /** The id of the quoted message. */
  quoted: string | undefined
  /** Text after a "no". */
  reason: string | undefined
}

type AnsweringMessage = Pick<
  ReceivedMessage,
  'fromMe' | 'byPhone' | 'chat' | 'from' | 'type' | 'text' | 'quoted'
>

/** Written on the phone itself, in the owner's chat with themselves. Nothing that another person or a linked device writes is. */
export const isNoteOfPhone = ({
  fromMe,
  byPhone,
  chat,
  from,
}: Omit<AnsweringMessage, 'type' | 'text' | 'quoted'>): boolean =>
  fromMe && byPhone === true && (chat === from.jid || chat === from.lid)

/** Undefined: the message is not an answer. It has to name a send, by the code or by quoting the question. */
export function readPhoneAnswer(message: AnsweringMessage): PhoneAnswer | undefined {
  if (!isNoteOfPhone(message) || message.type !== 'text' || message.text === null) return undefined
  const text = message.text.trim()
  const word = WORD.exec(text)?.[0] ?? ''
  const approve = YES.has(word.toLowerCase())
  if (!approve && !NO.has(word.toLowerCase())) return undefined
  const afterWord = text.slice(word.length).replace(PUNCTUATION, '')
  const code = CODE.exec(afterWord)?.[0]
  const rest = afterWord.slice(code?.length ?? 0).replace(PUNCTUATION, '')
  const quoted = message.quoted?.messageId
  // "Yes, but …" is not an approval.
  if ((approve && rest !== '') || (code === undefined && quoted === undefined)) return undefined
  return {
    approve,
    code: code?.toUpperCase(),
    quoted,
    reason: rest === '' ? undefined : rest.slice(0, MAX_REASON),
  }
}

export interface QuestionedSend {
  messageId: string
  questionId: string
  code: string
}

/** The send that the answer is about; undefined: none, or it cannot be told which. `questions` are those that the code or the quote names. */
export function answeredSend(
  { code, quoted }: PhoneAnswer,
  questions: readonly QuestionedSend[],
): QuestionedSend | undefined {
  const byCode = questions.filter((send) => send.code === code)
  const byQuote = questions.filter(({ questionId }) => questionId === quoted)
  if (code === undefined) return byQuote[0]
  // The code of one send below the question about another one.
  const matching = byQuote.length === 0 ? byCode : byCode.filter(({ questionId }) => questionId === quoted)
  return matching.length === 1 ? matching[0] : undefined
}
