// Files of received messages: encrypted with the key of their instance, and stored in the location that the settings select. Files that
// an earlier setting left in another location are still found there.

import { randomBytes } from 'node:crypto'
import { setImmediate } from 'node:timers/promises'
import { settledWithin } from '../kernel/async/waiting.ts'
import { HEAD_BYTES } from '../store/seal.ts'
import type { Store } from '../store/store.ts'
import { type Box, instanceScope, type Vault } from '../store/vault.ts'
import type { ByteRange, FileStore } from './file-store.ts'

export interface ReceivedFiles {
  /** Null: there is no such file, or the instance was logged out and its key destroyed. */
  open(instanceId: number, rowId: number): Promise<OpenedFile | null>
  put(instanceId: number, rowId: number, bytes: Uint8Array): Promise<void>
  remove(instanceId: number, rowId: number): Promise<void>
  /** Removes all files of these instances. Never rejects; the media fetcher removes later what cannot be removed now. */
  forget(instanceIds: number[]): Promise<void>
  /** The instances that may have files. */
  instanceIds(): Promise<number[]>
  /** The files of an instance, by the row of their message. */
  rowIds(instanceId: number): Promise<number[]>
  /** Removes what writes left that a crash interrupted. */
  removeInterrupted(instanceId: number): Promise<void>
}

export interface ReceivedFilesParts {
  /** New files go to the first one. */
  locations: readonly [FileStore, ...FileStore[]]
  store: Pick<Store, 'db'>
  vault: Vault
  logger: { warn(fields: object, message: string): void }
}

/** A call that deletes an instance does not wait longer for an object store; the removal goes on. */
const FORGET_WAIT_MS = 5000

export function createReceivedFiles({ locations, store, vault, logger }: ReceivedFilesParts): ReceivedFiles {
  async function removeInstances(instanceIds: number[]): Promise<void> {
    for (const instanceId of instanceIds) {
      for (const location of locations) {
        await location
          .removeFolder(instanceId)
          .catch((err: unknown) =>
            logger.warn(
              { err, instanceId },
              'received files: could not remove the files of a deleted instance; the media fetcher will retry',
            ),
          )
      }
    }
  }
  return {
    async open(instanceId, rowId) {
      const box = await vault.existingBox(store.db, instanceScope(instanceId))
      return box ? openFirst(locations, box, instanceId, rowId) : null
    },
    async put(instanceId, rowId, bytes) {
      const box = await vault.box(store.db, instanceScope(instanceId))
      await locations[0].write(instanceId, rowId, await sealFile(box, rowId, bytes))
    },
    async remove(instanceId, rowId) {
      for (const location of locations) await location.remove(instanceId, rowId)
    },
    async forget(instanceIds) {
      await settledWithin(removeInstances(instanceIds), FORGET_WAIT_MS)
    },
    instanceIds: () => unionOf(locations.map((location) => location.folderIds())),
    rowIds: (instanceId) => unionOf(locations.map((location) => location.fileIds(instanceId))),
    async removeInterrupted(instanceId) {
      for (const location of locations) await location.removeInterrupted?.(instanceId)
    },
  }
}

/** A location that cannot be reached matters only if no other one has the file. */
async function openFirst(
  locations: readonly FileStore[],
  box: Box,
  instanceId: number,
  rowId: number,
): Promise<OpenedFile | null> {
  const failures: unknown[] = []
  for (const location of locations) {
    try {
      const opened = await openFile(box, rowId, (range) => location.read(instanceId, rowId, range))
      if (opened) return opened
    } catch (error) {
      if (!(error instanceof UnreadableFileError)) failures.push(error)
    }
  }
  if (failures.length > 0) throw failures[0]
  return null
}

const unionOf = async (lists: Promise<number[]>[]): Promise<number[]> => [
  ...new Set((await Promise.all(lists)).flat()),
]

// The format of an encrypted file: chunks that are sealed one by one, so that a file is read and verified without holding it in memory
// (decision 0117). Files of earlier versions are one sealed value; they are still read.

/** The first byte of a file. 1 is the format of a single sealed value. */
const CHUNKED = 2
const CHUNK_BYTES = 1024 * 1024
const ID_BYTES = 16
const SIZE_AT = 1 + ID_BYTES
const HEADER_BYTES = SIZE_AT + 8
const SEALED_CHUNK_BYTES = HEAD_BYTES + CHUNK_BYTES

interface OpenedFile {
  sizeBytes: number
  /** Every chunk is authentic. Throws `UnreadableFileError` if the file ends early or was changed. */
  chunks(): AsyncGenerator<Uint8Array>
}

export class UnreadableFileError extends Error {}

interface Header {
  /** Of this version of the file: chunks of two versions do not fit together. */
  id: string
  sizeBytes: number
}

/** Size and position are part of what each chunk authenticates: none can be moved, exchanged or left out. */
const chunkCell = (rowId: number, { id, sizeBytes }: Header, index: number) => ({
  table: 'received_files',
  column: 'file',
  row: `${rowId}/${id}/${sizeBytes}/${index}`,
})
const wholeCell = (rowId: number) => ({ table: 'received_files', column: 'file', row: rowId })

/** An empty file has one empty chunk, which shows that it is meant to be empty. */
const chunkCount = (sizeBytes: number): number => Math.max(1, Math.ceil(sizeBytes / CHUNK_BYTES))

export async function sealFile(box: Box, rowId: number, plain: Uint8Array): Promise<Uint8Array> {
  const count = chunkCount(plain.length)
  const sealed = Buffer.allocUnsafeSlow(HEADER_BYTES + count * HEAD_BYTES + plain.length)
  const id = randomBytes(ID_BYTES)
  sealed[0] = CHUNKED
  id.copy(sealed, 1)
  sealed.writeBigUInt64BE(BigInt(plain.length), SIZE_AT)
  const header = { id: id.toString('hex'), sizeBytes: plain.length }
  for (let index = 0; index < count; index += 1) {
    const piece = plain.subarray(index * CHUNK_BYTES, (index + 1) * CHUNK_BYTES)
    sealed.set(box.seal(chunkCell(rowId, header, index), piece), HEADER_BYTES + index * SEALED_CHUNK_BYTES)
    await setImmediate()
  }
  return sealed
}

type ReadRange = (range: ByteRange) => Promise<Uint8Array | null>

/** Null: there is no such file. Throws `UnreadableFileError` if it was changed, or sealed with another key. */
export async function openFile(box: Box, rowId: number, read: ReadRange): Promise<OpenedFile | null> {
  const head = await read({ start: 0, length: Math.max(HEADER_BYTES, HEAD_BYTES) })
  if (head === null) return null
  return head[0] === CHUNKED ? openChunked(box, rowId, head, read) : openWhole(box, rowId, head, read)
}

async function openChunked(box: Box, rowId: number, head: Uint8Array, read: ReadRange): Promise<OpenedFile> {
  const bytes = Buffer.from(head.buffer, head.byteOffset, head.byteLength)
  if (bytes.length < HEADER_BYTES) throw new UnreadableFileError('the file is incomplete')
  const header = {
    id: bytes.toString('hex', 1, SIZE_AT),
    sizeBytes: Number(bytes.readBigUInt64BE(SIZE_AT)),
  }
  const chunk = async (index: number): Promise<Uint8Array> => {
    const start = HEADER_BYTES + index * SEALED_CHUNK_BYTES
    const length = HEAD_BYTES + Math.min(CHUNK_BYTES, header.sizeBytes - index * CHUNK_BYTES)
    const sealed = await read({ start, length })
    return authentic(() => box.unseal(chunkCell(rowId, header, index), sealed ?? new Uint8Array()))
  }
  // Opened now, so that a file that cannot be read is refused before the answer begins.
  const first = await chunk(0)
  return {
    sizeBytes: header.sizeBytes,
    async *chunks() {
      yield first
      for (let index = 1; index < chunkCount(header.sizeBytes); index += 1) yield await chunk(index)
    },
  }
}

/** Read twice: the tag covers the whole file, and nothing of it may be used before the tag is verified. */
async function openWhole(box: Box, rowId: number, head: Uint8Array, read: ReadRange): Promise<OpenedFile> {
  async function* pieces(): AsyncGenerator<Uint8Array> {
    const opening = authentic(() => box.beginOpening(wholeCell(rowId), head))
    for (let start = HEAD_BYTES; ; start += CHUNK_BYTES) {
      const sealed = (await read({ start, length: CHUNK_BYTES })) ?? new Uint8Array()
      if (sealed.length > 0) yield opening.update(sealed)
      if (sealed.length < CHUNK_BYTES) break
    }
    authentic(() => opening.verify())
  }
  let sizeBytes = 0
  for await (const piece of pieces()) sizeBytes += piece.length
  return { sizeBytes, chunks: pieces }
}

function authentic<T>(open: () => T): T {
  try {
    return open()
  } catch (cause) {
    throw new UnreadableFileError('the file was changed, or was sealed with a different key', { cause })
  }
}
