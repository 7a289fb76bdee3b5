// Classifies refusals of the network by their code: which are temporary, and which are final (decision 0072).
import { NetworkError, type NetworkErrorKind, type SendRefusal } from '../../network/network.ts'

/** The account may not start new chats. */
export const RESTRICTED_CODE = 463

/** By code. Any other code below 500 is final; from 500 on it is an error of the server, and temporary. */
const BY_CODE: Record<number, SendRefusal> = {
  // The library used a device or session that no longer exists; it refreshes them after a while.
  404: 'stale',
  406: 'stale',
  479: 'stale',
  496: 'stale',
  // Too slow, in conflict with another change, or too often.
  408: 'temporary',
  409: 'temporary',
  425: 'temporary',
  428: 'temporary',
  429: 'temporary',
  [RESTRICTED_CODE]: 'restricted',
  // Final although they are server errors: the server does not support the feature.
  501: 'permanent',
  550: 'permanent',
  551: 'permanent',
}
const FIRST_SERVER_FAULT = 500

/** The group does not exist any more, or the account is not in it. */
const NOT_A_MEMBER: ReadonlySet<number> = new Set([401, 403, 404, 410])
/** Without 403: for a message it also means a member who may not write. */
const NOT_A_MEMBER_ON_SEND: ReadonlySet<number> = new Set([401, 404, 410])

export const classifyCode = (code: number): SendRefusal =>
  BY_CODE[code] ?? (code < FIRST_SERVER_FAULT ? 'permanent' : 'temporary')

/** Classifies the refusal of a message. */
export const classifyRefusal = (code: number, chat: string): SendRefusal =>
  chat.endsWith('@g.us') && NOT_A_MEMBER_ON_SEND.has(code) ? 'not_a_group_member' : classifyCode(code)

const KINDS: Record<Exclude<SendRefusal, 'not_a_group_member'>, NetworkErrorKind> = {
  temporary: 'unavailable',
  stale: 'stale',
  permanent: 'refused',
  restricted: 'refused',
}

/** Converts an error of the library. Any other error, such as a bug of the gateway, is returned unchanged. */
export function toNetworkError(error: unknown): unknown {
  if (error instanceof NetworkError) return error
  if (!isFromNetwork(error)) return error
  const code = networkCode(error)
  const kind = code === null ? 'unavailable' : KINDS[classifyCode(code) as keyof typeof KINDS]
  return new NetworkError(kind, messageOf(error), error, code)
}

/** Converts the error of a request for one group. */
export function toGroupError(error: unknown): unknown {
  const code = networkCode(error)
  if (code === null || !NOT_A_MEMBER.has(code)) return toNetworkError(error)
  return new NetworkError('not_a_group_member', messageOf(error), error, code)
}

interface LibraryError {
  isBoom?: boolean
  message?: string
  code?: unknown
  data?: unknown
  output?: { statusCode?: number }
  cause?: { code?: unknown }
}
const fieldsOf = (error: unknown): LibraryError => (typeof error === 'object' && error !== null ? error : {})

const TRANSPORT =
  /^(?:ECONN\w+|EPIPE|ETIMEDOUT|ENOTFOUND|EAI_AGAIN|EHOSTUNREACH|ENETUNREACH|ENETDOWN|UND_ERR_\w+)$/

/** Errors of the library, errors of sockets, and bare close codes, with which the library rejects open requests. */
function isFromNetwork(error: unknown): boolean {
  const { isBoom, code, cause } = fieldsOf(error)
  return typeof error === 'number' || isBoom === true || [code, cause?.code].some(isTransportCode)
}
const isTransportCode = (code: unknown): boolean => typeof code === 'string' && TRANSPORT.test(code)

const BAD_INPUT = 400

/**
 * The code of the network's answer; null if the connection failed without an answer. The library puts the code of an answer into
 * `data`, and its own disconnect reason into `statusCode`, which counts only if it is an answer too.
 */
export function networkCode(error: unknown): number | null {
  if (error instanceof NetworkError) return error.code
  const { isBoom, data, output } = fieldsOf(error)
  if (isBoom !== true) return null
  if (typeof data === 'number') return Number.isFinite(data) ? data : null
  const status = output?.statusCode ?? null
  // The library itself rejected the input.
  if (status === BAD_INPUT) return status
  return isAnswer(data) ? status : null
}

/** An error node of a group, an error of a GraphQL answer, or the address of a media host that answered with this status. */
function isAnswer(data: unknown): boolean {
  const { tag, extensions, url } = (data ?? {}) as { tag?: unknown; extensions?: unknown; url?: unknown }
  return tag === 'error' || extensions !== undefined || url !== undefined
}

const messageOf = (error: unknown): string => fieldsOf(error).message ?? 'the connection failed'
