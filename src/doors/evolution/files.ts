// Files that a request of the dialect names: a URL, base64, or the file of a form. The last two become uploads of this API.
import { invalidField } from '../../errors.ts'
import type { CallContext } from './call.ts'

export type FileSource = { mediaUrl: string } | { mediaId: string }

const URL_FORM = /^https?:\/\//i
const DATA_URL = /^data:([\w!#$&^.+-]+\/[\w!#$&^.+-]+)?[^,]{0,100};base64,/i
const BASE64 = /^[A-Za-z0-9+/_-]+={0,2}$/
const UNKNOWN_TYPE = 'application/octet-stream'
/** Their bytes do not always show the type. */
const AUDIO_OR_VIDEO = /^(audio|video)\//i

export interface NamedFile {
  /** The field of the request, for refusals. */
  field: string
  value: string | null | undefined
  mimetype?: string | null | undefined
  fileName?: string | null | undefined
}

/** Null: there is no file. */
export async function mediaIn(context: CallContext, file: NamedFile): Promise<FileSource | null> {
  if (context.formFile) return context.formFile
  const { field, value } = file
  if (value === null || value === undefined || value === '') return null
  if (URL_FORM.test(value)) return { mediaUrl: value }
  const { bytes, mimetype } = decoded(value, field)
  const stored = await context.use('uploadMedia', {
    query: file.fileName ? { fileName: file.fileName } : {},
    file: {
      bytes: piecesOf(bytes),
      contentType: typeOf(file.mimetype ?? mimetype),
      sizeBytes: bytes.byteLength,
    },
  })
  return { mediaId: stored.mediaId }
}

/** Common clients declare `image/jpeg` for every image and `application/pdf` for every document: the bytes decide. */
const typeOf = (declared: string | undefined): string =>
  declared !== undefined && AUDIO_OR_VIDEO.test(declared) ? declared : UNKNOWN_TYPE

export async function requireMedia(context: CallContext, file: NamedFile): Promise<FileSource> {
  const found = await mediaIn(context, file)
  if (!found) throw invalidField(file.field, 'required: a URL, base64, or the part `file` of a form')
  return found
}

export function decoded(value: string, field: string): { bytes: Buffer; mimetype: string | undefined } {
  const prefix = DATA_URL.exec(value.slice(0, 300))
  const base64 = value.slice(prefix?.[0].length ?? 0).replaceAll(/\s/g, '')
  if (!BASE64.test(base64)) throw invalidField(field, 'expected an http or https URL, or base64')
  return { bytes: Buffer.from(base64, 'base64'), mimetype: prefix?.[1] }
}

async function* piecesOf(bytes: Uint8Array): AsyncGenerator<Uint8Array> {
  yield bytes
}
