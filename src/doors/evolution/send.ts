// What all sends of the dialect have in common: recipient, delay, quote and mentions, and the form of the answer.
import { z } from 'zod'
import { omitUndefined } from '../../contract/omit-undefined.ts'
import type { AnswerOf, CallerInput } from '../../contract/route.ts'
import type { RouteId, Routes } from '../../contract/routes.ts'
import { addressOf, personOf } from './addresses.ts'
import { type CallContext, looseFlag, messageKey, optionalText, text, wholeNumber } from './call.ts'
import { type EvolutionMessage, evolutionMessage } from './message-shape.ts'

export const common = {
  number: text,
  delay: wholeNumber.nullish(),
  quoted: z
    .object({ key: messageKey.optional(), message: z.object({ conversation: optionalText }).nullish() })
    .nullish(),
  linkPreview: looseFlag.nullish(),
  mentionsEveryOne: looseFlag.nullish(),
  mentioned: z.array(text).nullish(),
  encoding: looseFlag.nullish(),
}
export type Common = z.output<z.ZodObject<typeof common>>

/** Without a delay of its own the dialect shows no typing. */
export function commonOf({ instanceName }: CallContext, body: Common) {
  const address = addressOf(body.number)
  return {
    instanceName,
    ...address,
    delay: body.delay ?? 0,
    ...omitUndefined({
      quotedMessageId: body.quoted?.key?.id,
      mentions: 'groupJid' in address ? mentionsOf(body) : undefined,
    }),
  }
}

function mentionsOf({ mentionsEveryOne, mentioned }: Common): string[] | undefined {
  if (mentionsEveryOne) return ['all']
  return mentioned && mentioned.length > 0 ? mentioned.map(personOf) : undefined
}

type SendId = Extract<RouteId, `send${string}`>

/** The answer shows the message as the dialect does. */
export async function send<K extends SendId>(
  context: CallContext,
  id: K,
  body: CallerInput<Routes[K]> extends { body: infer B } ? B : never,
  quoted?: Common['quoted'],
): Promise<EvolutionMessage> {
  const answer = (await context.use(id, { body } as never)) as AnswerOf<Routes['sendText']>
  return sentMessage(context, answer, body as Record<string, unknown>, quoted)
}

export function sentMessage(
  { instance }: CallContext,
  answer: AnswerOf<Routes['sendText']>,
  content: Record<string, unknown>,
  quoted?: Common['quoted'],
): EvolutionMessage {
  const quotedId = quoted?.key?.id
  const known = {
    messageId: answer.messageId,
    chat: answer.chat,
    lid: null,
    fromMe: true,
    from: null,
    status: answer.status,
    atMs: Date.parse(answer.createdAt),
    type: answer.type as Parameters<typeof evolutionMessage>[0]['type'],
    text: null,
    media: null,
    quoted:
      quotedId === undefined
        ? null
        : { messageId: quotedId, text: quoted?.message?.conversation ?? null, participant: null },
    interactiveReplyId: null,
    target: null,
    content,
  }
  return evolutionMessage(known, instance.id)
}

export const NAMES = {
  number: 'number',
  quotedMessageId: 'quoted.key.id',
  mentions: 'mentioned',
  delay: 'delay',
}
