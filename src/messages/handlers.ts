// Messages: listing, reading, cancelling, votes in polls, and the files of messages.

import type { Deps } from '../context.ts'
import { pagedAnswer } from '../kernel/http/paged-answer.ts'
import type { Transfers } from '../kernel/http/transfers.ts'
import type { Handlers } from '../request-handler.ts'
import { decideSend, getApproval, readApprovalFile } from '../sending/approvals.ts'
import * as messages from './messages.ts'
import { pollVotes } from './poll-votes.ts'
import { readMedia } from './received-media.ts'

export interface MessageDeps
  extends Pick<Deps, 'store' | 'clock' | 'sessions' | 'files' | 'sentMedia' | 'uploads' | 'wakeSending'> {
  transfers: Transfers
}

export const messageHandlers = (deps: MessageDeps) =>
  ({
    async listMessages({ caller }, { query }) {
      return pagedAnswer(
        'messages',
        query,
        await messages.listMessages(deps, caller, { ...query, kinds: query.type && [query.type] }),
      )
    },
    async getMessage({ caller }, { params, query }) {
      return { message: await messages.getMessage(deps, caller, { ...params, ...query }) }
    },
    async cancelMessage({ caller }, { params, query }) {
      return { message: await messages.cancelMessage(deps, caller, { ...params, ...query }) }
    },
    async cancelMessages({ caller }, { body }) {
      return messages.cancelMessages(deps, caller, body)
    },
    async getApproval({ caller }, { params, query }) {
      return { approval: await getApproval(deps, caller, { ...params, ...query }) }
    },
    async getApprovalFile({ caller, setHeader, onClosed }, { params, query }) {
      const transfer = deps.transfers.begin(caller.account.id)
      onClosed(transfer.end)
      const { fileName, ...file } = await readApprovalFile(deps, caller, { ...params, ...query })
      setFileHeaders(setHeader, fileName)
      return file
    },
    async approveMessage({ caller }, { params, query, body }) {
      const verdict = { approve: true, ...body } as const
      return { message: await decideSend(deps, caller, { ...params, ...query }, verdict) }
    },
    async rejectMessage({ caller }, { params, query, body }) {
      const verdict = { approve: false, ...body } as const
      return { message: await decideSend(deps, caller, { ...params, ...query }, verdict) }
    },
    async getPollVotes({ caller }, { params, query }) {
      return { poll: await pollVotes(deps, caller, { ...params, ...query }) }
    },
    async getMessageMedia({ caller, setHeader, onClosed }, { params, query }) {
      const transfer = deps.transfers.begin(caller.account.id)
      // Also of a refusal.
      onClosed(transfer.end)
      const name = { ...params, ...query }
      const { fileName, ...file } = await readMedia(deps, caller, name, transfer.holdInMemory)
      setFileHeaders(setHeader, fileName)
      return file
    },
  }) satisfies Partial<Handlers>

/** The bytes come from a stranger: browsers save the file instead of showing it, and caches do not keep it. */
const FILE_HEADERS: [string, string][] = [
  ['Cache-Control', 'private, no-store'],
  ['Referrer-Policy', 'no-referrer'],
  ['X-Content-Type-Options', 'nosniff'],
  ['Content-Security-Policy', "sandbox; default-src 'none'"],
]

function setFileHeaders(setHeader: (name: string, value: string) => void, fileName: string): void {
  for (const [name, value] of FILE_HEADERS) setHeader(name, value)
  setHeader('Content-Disposition', `attachment; filename*=UTF-8''${encodeName(fileName)}`)
}

/** RFC 5987 allows fewer characters than `encodeURIComponent` leaves unencoded. */
const encodeName = (name: string): string =>
  encodeURIComponent(name.toWellFormed()).replaceAll(
    /['()*]/g,
    (character) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`,
  )
