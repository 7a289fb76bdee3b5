// Uploads a file and reports the progress, which `fetch` cannot.
import { ApiError, csrfHeader, refusalOf } from './api.ts'

export interface UploadOptions {
  /** The share that has been sent, from 0 to 1. */
  onProgress(share: number): void
  signal: AbortSignal
}

/** The JSON answer. Rejects with an `ApiError`, also if the upload was aborted. */
export async function upload(
  address: string,
  file: File,
  { onProgress, signal }: UploadOptions,
): Promise<unknown> {
  const response = await post(address, file, onProgress, signal)
  if (!response.ok) throw await refusalOf(response)
  return response.json()
}

function post(
  address: string,
  file: File,
  onProgress: UploadOptions['onProgress'],
  signal: AbortSignal,
): Promise<Response> {
  const { promise, resolve, reject } = Promise.withResolvers<Response>()
  const request = new XMLHttpRequest()
  const fail = () => reject(new ApiError(0, 'unreachable', 'The gateway does not answer.'))
  request.open('POST', address)
  request.setRequestHeader('accept', 'application/json')
  request.setRequestHeader('content-type', file.type === '' ? 'application/octet-stream' : file.type)
  for (const [name, value] of Object.entries(csrfHeader(address))) request.setRequestHeader(name, value)
  request.upload.addEventListener('progress', ({ loaded, total }) => onProgress(loaded / total))
  request.addEventListener('load', () => {
    const retryAfter = request.getResponseHeader('retry-after')
    const headers = retryAfter === null ? {} : { 'retry-after': retryAfter }
    resolve(new Response(request.responseText, { status: request.status, headers }))
  })
  request.addEventListener('error', fail)
  request.addEventListener('abort', fail)
  signal.addEventListener('abort', () => request.abort(), { once: true })
  request.send(file)
  return promise
}
