// The port of a location that stores files in numbered folders. It sees encrypted bytes only. Files of received messages have a folder
// for each instance and the number of their message's row. Uploaded files have a folder each, with their parts in it.

export interface ByteRange {
  start: number
  length: number
}

export interface FileStore {
  /** Null: there is no such file. Rejects while the location cannot be reached. A range may reach beyond the end. */
  read(folderId: number, fileId: number, range?: ByteRange): Promise<Uint8Array | null>
  /** The file is stored completely or not at all, and replaces an earlier one. */
  write(folderId: number, fileId: number, sealed: Uint8Array): Promise<void>
  remove(folderId: number, fileId: number): Promise<void>
  removeFolder(folderId: number): Promise<void>
  /** The folders that may have files. */
  folderIds(): Promise<number[]>
  fileIds(folderId: number): Promise<number[]>
  /** Removes what interrupted writes have left, where a write can leave something. No write may run meanwhile. */
  removeInterrupted?(folderId: number): Promise<void>
}
