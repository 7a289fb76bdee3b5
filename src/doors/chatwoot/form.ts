// A multipart form with one file, as a stream of known length: the file is not in memory as a whole.
import { randomUUID } from 'node:crypto'

export interface AttachedFile {
  fileName: string
  contentType: string
  sizeBytes: number
  chunks: AsyncIterable<Uint8Array>
}

export interface FormBody {
  headers: Record<string, string>
  chunks: AsyncIterable<Uint8Array>
}

/** Objects become JSON. The file is the field `attachments[]`. */
export function formBody(fields: Record<string, unknown>, file: AttachedFile): FormBody {
  const boundary = `form-${randomUUID()}`
  const head = Buffer.from(
    Object.entries(fields)
      .filter(([, value]) => value !== undefined)
      .map(([name, value]) => part(boundary, `name="${name}"`, textOf(value)))
      .join('') +
      `--${boundary}\r\ncontent-disposition: form-data; name="attachments[]"; filename="${quoted(file.fileName)}"\r\n` +
      `content-type: ${mediaType(file.contentType)}\r\n\r\n`,
  )
  const tail = Buffer.from(`\r\n--${boundary}--\r\n`)
  return {
    headers: {
      'content-type': `multipart/form-data; boundary=${boundary}`,
      'content-length': String(head.length + file.sizeBytes + tail.length),
    },
    chunks: chunksOf(head, file.chunks, tail),
  }
}

const part = (boundary: string, disposition: string, value: string): string =>
  `--${boundary}\r\ncontent-disposition: form-data; ${disposition}\r\n\r\n${value}\r\n`

const textOf = (value: unknown): string => (typeof value === 'string' ? value : JSON.stringify(value))

/** As browsers write a file name: people who send files choose it. */
const quoted = (name: string): string =>
  name.replaceAll('"', '%22').replaceAll('\r', '%0D').replaceAll('\n', '%0A')

const MEDIA_TYPE = /^[\w.+-]+\/[\w.+-]+/
/** Without parameters: `audio/ogg; codecs=opus` is not an audio file for every reader. */
const mediaType = (text: string): string => MEDIA_TYPE.exec(text)?.[0] ?? 'application/octet-stream'

async function* chunksOf(
  head: Uint8Array,
  file: AsyncIterable<Uint8Array>,
  tail: Uint8Array,
): AsyncGenerator<Uint8Array> {
  yield head
  yield* file
  yield tail
}
