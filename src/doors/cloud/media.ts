// Files: uploads to send, and the files of received messages.
import { z } from 'zod'
import { invalidField } from '../../errors.ts'
import { deleteUpload } from '../../files/uploads.ts'
import { type CloudContext, call, optionalText, PRODUCT } from './call.ts'
import { CloudError, UNKNOWN_OBJECT } from './errors.ts'
import { isUploadedFile, receivedFileOf } from './media-id.ts'

/** Uploads belong to the account: every instance can send them. */
export const uploadMedia = call({
  admission: 'uploadMedia',
  takesForm: true,
  // One client has the product in the query.
  body: z.object({ messaging_product: optionalText, type: optionalText }),
  fields: { 'Content-Type': 'file', fileName: 'file' },
  async handle({ formFile }) {
    if (!formFile) throw invalidField('file', 'required: the part `file` of a form')
    return { id: formFile.mediaId }
  },
})

const unknownFile = () =>
  new CloudError(400, 100, 'There is no such file, or it is no longer available.', UNKNOWN_OBJECT)

interface StoredMedia {
  media?: { mimetype?: string; sha256?: string | null; sizeBytes?: number | null } | null
}

/** What a received file is, and where it can be downloaded with the same key. */
export async function describeFile({ use, id, base }: CloudContext) {
  if (isUploadedFile(id))
    throw new CloudError(400, 100, 'An uploaded file can be sent, but not read.', UNKNOWN_OBJECT)
  const name = receivedFileOf(id)
  if (!name) throw unknownFile()
  const { messageId, instanceName } = name
  const { message } = await use('getMessage', { params: { messageId }, query: { instanceName } })
  const { media } = message.content as StoredMedia
  if (!media) throw unknownFile()
  return {
    url: `${base}/${id}/download`,
    mime_type: media.mimetype ?? 'application/octet-stream',
    sha256: media.sha256 ?? null,
    file_size: media.sizeBytes ?? null,
    id,
    messaging_product: PRODUCT,
  }
}

/** Only uploads: a received file belongs to its message. */
export const deleteMedia = call({
  admission: 'uploadMedia',
  async handle({ parts, caller, id }) {
    if (receivedFileOf(id))
      throw new CloudError(400, 100, 'Only uploaded files can be deleted.', UNKNOWN_OBJECT)
    if (!isUploadedFile(id) || !(await deleteUpload(parts, caller, id))) throw unknownFile()
    return { success: true }
  },
})

export const isFile = (id: string): boolean => isUploadedFile(id) || receivedFileOf(id) !== undefined

/** The answer is the file itself. */
export const downloadMedia = call({
  admission: 'getMessageMedia',
  async handle({ use, id }) {
    const name = receivedFileOf(id)
    if (!name) throw unknownFile()
    const { messageId, instanceName } = name
    return use('getMessageMedia', { params: { messageId }, query: { instanceName } })
  },
})
