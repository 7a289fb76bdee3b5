import assert from 'node:assert/strict'
import { createSecretKey, randomBytes } from 'node:crypto'
import { describe, test } from 'node:test'
import { beginOpening, seal, unseal } from '../store/seal.ts'
import type { Box } from '../store/vault.ts'
import type { ByteRange } from './file-store.ts'
import { openFile, sealFile, UnreadableFileError } from './received-files.ts'

const ROW = 7
const CHUNK = 1024 * 1024
const HEADER = 25
const SEALED_CHUNK = CHUNK + 29

function boxOf(secret = randomBytes(32)): Box {
  const key = createSecretKey(secret)
  return {
    seal: (cell, plain) => seal(key, cell, plain),
    unseal: (cell, sealed) => unseal(key, cell, sealed),
    beginOpening: (cell, head) => beginOpening(key, cell, head),
  }
}
const SECRET = randomBytes(32)
const createKey = () => createSecretKey(SECRET)
const box = boxOf()
const wholeCell = { table: 'received_files', column: 'file', row: ROW }
const rangesOf = (bytes: Uint8Array) => {
  const lengths: number[] = []
  const read = async ({ start, length }: ByteRange) => {
    lengths.push(length)
    return bytes.subarray(start, start + length)
  }
  return { read, lengths }
}
async function read(sealed: Uint8Array, row = ROW, by = box): Promise<Buffer> {
  const opened = await openFile(by, row, rangesOf(sealed).read)
  assert.ok(opened)
  const bytes = Buffer.concat(await Array.fromAsync(opened.chunks()))
  assert.equal(bytes.length, opened.sizeBytes)
  return bytes
}
const changed = (sealed: Uint8Array, at: number): Buffer => {
  const copy = Buffer.from(sealed)
  copy[at] = (copy[at] ?? 0) ^ 1
  return copy
}

describe('the format of files', () => {
  for (const size of [0, 1, CHUNK - 1, CHUNK, CHUNK + 1, 3 * CHUNK + 5]) {
    test(`a file of ${size} bytes is read as it was written, also in the format of earlier versions`, async () => {
      const plain = randomBytes(size)
      assert.ok(plain.equals(await read(await sealFile(box, ROW, plain))))
      assert.ok(plain.equals(await read(seal(createKey(), wholeCell, plain), ROW, boxOf(SECRET))))
    })
  }

  test('no read is larger than a chunk', async () => {
    const sealed = await sealFile(box, ROW, randomBytes(5 * CHUNK))
    const whole = seal(createKey(), wholeCell, randomBytes(5 * CHUNK))
    for (const [bytes, by] of [
      [sealed, box],
      [whole, boxOf(SECRET)],
    ] as const) {
      const { read: readRange, lengths } = rangesOf(bytes)
      const opened = await openFile(by, ROW, readRange)
      assert.ok(opened)
      for await (const chunk of opened.chunks()) assert.ok(chunk.length <= CHUNK)
      assert.ok(Math.max(...lengths) <= SEALED_CHUNK)
    }
  })

  test('a changed, moved, shortened or mixed file is not read', async () => {
    const plain = randomBytes(2 * CHUNK + 10)
    const sealed = Buffer.from(await sealFile(box, ROW, plain))
    const [one, two] = [HEADER, HEADER + SEALED_CHUNK]
    const swapped = Buffer.concat([
      sealed.subarray(0, one),
      sealed.subarray(two, two + SEALED_CHUNK),
      sealed.subarray(one, two),
      sealed.subarray(two + SEALED_CHUNK),
    ])
    const again = Buffer.from(await sealFile(box, ROW, plain))
    const mixed = Buffer.concat([sealed.subarray(0, two), again.subarray(two)])
    const shorter = Buffer.from(sealed.subarray(0, two))
    shorter.writeBigUInt64BE(BigInt(CHUNK), 17)
    const faulty = {
      header: changed(sealed, 3),
      size: changed(sealed, 24),
      'first chunk': changed(sealed, one + 40),
      'last chunk': changed(sealed, sealed.length - 1),
      end: sealed.subarray(0, two + SEALED_CHUNK),
      'one byte less': sealed.subarray(0, -1),
      swapped,
      mixed,
      shorter,
    }
    for (const [name, bytes] of Object.entries(faulty))
      await assert.rejects(read(bytes), UnreadableFileError, name)
    await assert.rejects(read(sealed, ROW + 1), UnreadableFileError)
    await assert.rejects(read(sealed, ROW, boxOf()), UnreadableFileError)
  })

  test('nothing of a changed file in the earlier format is released', async () => {
    const sealed = seal(createKey(), wholeCell, randomBytes(2 * CHUNK))
    for (const bytes of [changed(sealed, sealed.length - 1), sealed.subarray(0, -1), sealed.subarray(0, 5)])
      await assert.rejects(openFile(boxOf(SECRET), ROW, rangesOf(bytes).read), UnreadableFileError)
  })
})
