// Parts of uploaded files as rows of PostgreSQL, which every node can read. They are removed with the row of their upload.

import type { Store } from '../store/store.ts'
import type { FileStore } from './file-store.ts'
import {
  listUploadParts,
  listUploadsWithParts,
  readUploadPart,
  removeUploadParts,
  writeUploadPart,
} from './upload-part-queries.ts'

export const createUploadRowStore = ({ db }: Pick<Store, 'db'>): FileStore => ({
  async read(uploadId, part, range) {
    const sealed = await readUploadPart(db, uploadId, part)
    return range && sealed ? sealed.subarray(range.start, range.start + range.length) : sealed
  },
  write: (uploadId, part, sealed) => writeUploadPart(db, uploadId, part, sealed),
  remove: (uploadId, part) => removeUploadParts(db, uploadId, part),
  removeFolder: (uploadId) => removeUploadParts(db, uploadId),
  folderIds: () => listUploadsWithParts(db),
  fileIds: (uploadId) => listUploadParts(db, uploadId),
})
