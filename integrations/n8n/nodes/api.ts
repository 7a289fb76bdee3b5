// Requests to the gateway with the key of the credentials, and its refusals as errors of n8n.
import type {
  IExecuteFunctions,
  IHookFunctions,
  IHttpRequestOptions,
  IN8nHttpFullResponse,
  JsonObject,
} from 'n8n-workflow'
import { NodeApiError } from 'n8n-workflow'

export const CREDENTIALS = 'switchboardApi'

export async function authenticated(
  node: IExecuteFunctions | IHookFunctions,
  options: IHttpRequestOptions,
  { itemIndex = 0, accepted = [200] }: { itemIndex?: number; accepted?: number[] } = {},
): Promise<IN8nHttpFullResponse> {
  const { baseUrl } = await node.getCredentials<{ baseUrl: string }>(CREDENTIALS)
  const request: IHttpRequestOptions = {
    ...options,
    url: baseUrl.replace(/\/+$/, '') + options.url,
    returnFullResponse: true,
    ignoreHttpStatusErrors: true,
    // The API never redirects, and the key must not be sent to another server.
    disableFollowRedirect: true,
  }
  const response = await unreachable(node, itemIndex, () =>
    node.helpers.httpRequestWithAuthentication.call(node, CREDENTIALS, request),
  )
  if (accepted.includes(response.statusCode)) return response
  throw new NodeApiError(node.getNode(), { status: response.statusCode } as JsonObject, {
    ...refusal(response),
    httpCode: String(response.statusCode),
    itemIndex,
  })
}

async function unreachable(
  node: IExecuteFunctions | IHookFunctions,
  itemIndex: number,
  work: () => Promise<IN8nHttpFullResponse>,
): Promise<IN8nHttpFullResponse> {
  try {
    return await work()
  } catch (error) {
    throw new NodeApiError(node.getNode(), error as JsonObject, { itemIndex })
  }
}

interface Refusal {
  error?: unknown
  reason?: unknown
  details?: { path?: unknown; message?: unknown }[]
}

/** The sentence of the API, and which field it is about. */
function refusal({ body, statusCode }: IN8nHttpFullResponse): { message: string; description: string } {
  const { error, reason, details } = read(body)
  const fields = (Array.isArray(details) ? details : []).map(({ path, message }) => `${path}: ${message}`)
  return {
    message: typeof error === 'string' ? error : `The gateway answered with the status ${statusCode}`,
    description: [...fields, ...(typeof reason === 'string' ? [reason] : [])].join('; '),
  }
}

/** A call that answers with a file has its refusal as bytes. */
function read(body: unknown): Refusal {
  if (body === null || typeof body !== 'object') return {}
  if (!Buffer.isBuffer(body)) return body as Refusal
  try {
    return JSON.parse(body.toString()) as Refusal
  } catch {
    return {}
  }
}
