// How a kind of message of the dialect is declared: its content, and the send of this API that it becomes.
import type { z } from 'zod'
import type { AnswerOf } from '../../contract/route.ts'
import type { Routes } from '../../contract/routes.ts'
import type { CloudAddress } from './addresses.ts'
import type { CloudContext } from './call.ts'

export type SendAnswer = AnswerOf<Routes['sendText']>

/** What all sends have in common: recipient and quote. The original shows no typing before a message. */
export type SharedFields = CloudAddress & { instanceName: string; delay: number; quotedMessageId?: string }

export interface Kind<Content extends z.ZodType = z.ZodType> {
  content: Content
  /** In refusals: the name of the dialect for a field of this API, below the name of the kind. */
  fields: Readonly<Record<string, string>>
  send(context: CloudContext, common: SharedFields, content: z.output<Content>): Promise<SendAnswer>
}

/** Types `send` by the schema. */
export const kind = <Content extends z.ZodType>(declared: Kind<Content>): Kind => declared
