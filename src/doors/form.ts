// Forms (multipart/form-data) with one file. The file is streamed to its place; everything else has limits.
import type { Readable } from 'node:stream'
import { finished } from 'node:stream/promises'
import { Busboy, type BusboyHeaders } from '@fastify/busboy'
import type { ArrivingFile } from '../contract/route.ts'
import { GatewayError, invalidField } from '../errors.ts'
import { ignoreErrors } from '../kernel/async/ignore-errors.ts'
import { limitUpload } from '../kernel/http/bodies.ts'

const LIMITS = { fields: 50, fieldSize: 64 * 1024, fieldNameSize: 100, files: 1, parts: 60, headerPairs: 20 }

export interface FormFile extends ArrivingFile {
  fileName: string | undefined
}

export interface Form {
  /** Values that are JSON objects or lists are parsed, as clients write them into forms. */
  fields: Record<string, unknown>
  file: { mediaId: string } | undefined
}

/** `store` reads the file to its end. Its refusal ends the form. */
export async function readForm(
  headers: Record<string, string | string[] | undefined>,
  source: Readable,
  maxBytes: number,
  store: (file: FormFile) => Promise<{ mediaId: string }>,
): Promise<Form> {
  const parser = createParser(headers)
  const fields: Record<string, unknown> = {}
  const stored: Promise<{ mediaId: string }>[] = []
  parser.on('field', (name, value, isNameCut, isValueCut) => {
    if (isNameCut || isValueCut) parser.destroy(invalidField(name, 'must not be longer than 64 KiB'))
    else fields[name] = parsed(value)
  })
  parser.on('file', (_name, bytes, fileName, _encoding, contentType) => {
    const file = storeFile(bytes, { fileName, contentType }, maxBytes, store)
    // A file that is refused ends the form; without it the rest would be read in vain.
    file.catch((error: unknown) => parser.destroy(error as Error))
    stored.push(file)
  })
  for (const limit of ['partsLimit', 'filesLimit', 'fieldsLimit'] as const)
    parser.on(limit, () => parser.destroy(invalidField('', 'the form has too many parts')))
  const done = finished(parser)
  const limited = limitUpload(
    source,
    maxBytes + LIMITS.fields * LIMITS.fieldSize,
    () => new GatewayError('body_too_large'),
  )
  limited.on('error', (error) => parser.destroy(error))
  limited.pipe(parser)
  try {
    await done
  } catch (error) {
    throw error instanceof GatewayError ? error : invalidField('', 'the form cannot be read')
  } finally {
    limited.destroy()
  }
  const [file] = await Promise.all(stored)
  return { fields, file }
}

function createParser(headers: Record<string, string | string[] | undefined>): Busboy {
  try {
    return new Busboy({ headers: headers as unknown as BusboyHeaders, limits: LIMITS })
  } catch {
    throw invalidField('Content-Type', 'expected multipart/form-data with a boundary')
  }
}

const storeFile = (
  bytes: Readable,
  { fileName, contentType }: { fileName: string | undefined; contentType: string },
  maxBytes: number,
  store: (file: FormFile) => Promise<{ mediaId: string }>,
): Promise<{ mediaId: string }> => {
  const limited = limitUpload(ignoreErrors(bytes), maxBytes, () => new GatewayError('body_too_large'))
  return store({ bytes: limited, contentType, fileName, sizeBytes: undefined })
}

function parsed(value: string): unknown {
  if (!/^\s*[[{]/.test(value)) return value
  try {
    return JSON.parse(value) as unknown
  } catch {
    return value
  }
}
