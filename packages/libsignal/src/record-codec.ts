// The stored form of sessions: a version, then the fields of each session in order.
import { createReader, createWriter, type Reader, type Writer } from './bytes.ts'
import type { ChainKey, PendingPreKey, ReceivingChain, Session } from './session.ts'

const FORMAT = 1

export function encodeSessions(sessions: readonly Session[]): Buffer {
  const writer = createWriter()
  writer.number(FORMAT)
  writeList(writer, sessions, writeSession)
  return writer.finish()
}

export function decodeSessions(bytes: Uint8Array): Session[] {
  // A copy: keys are parts of this buffer, and would otherwise keep the whole page of the database in memory.
  const reader = createReader(Buffer.from(bytes))
  if (reader.number() !== FORMAT) throw new Error('Unknown format of a session record')
  return readList(reader, readSession)
}

function writeSession(writer: Writer, session: Session): void {
  writer.number(session.registrationId)
  writer.bytes(session.remoteIdentityKey)
  writer.bytes(session.baseKey)
  writer.number(Number(session.isOurs))
  writer.number(session.createdAt)
  writer.number(session.usedAt)
  writeOptional(writer, session.closedAt, writer.number)
  writer.bytes(session.rootKey)
  writer.bytes(session.ownRatchet.pubKey)
  writer.bytes(session.ownRatchet.privKey)
  writer.bytes(session.remoteRatchetKey)
  writer.number(session.previousCounter)
  writeOptional(writer, session.sending, (chain) => {
    writer.bytes(chain.key)
    writer.number(chain.counter + 1)
  })
  writeList(writer, session.receiving, writeChain)
  writeOptional(writer, session.pendingPreKey, (pending) => {
    writer.bytes(pending.baseKey)
    writer.number(pending.signedKeyId)
    writeOptional(writer, pending.preKeyId, writer.number)
  })
}

function readSession(reader: Reader): Session {
  return {
    registrationId: reader.storedNumber(),
    remoteIdentityKey: reader.bytes(),
    baseKey: reader.bytes(),
    isOurs: reader.storedNumber() === 1,
    createdAt: reader.storedNumber(),
    usedAt: reader.storedNumber(),
    closedAt: readOptional(reader, reader.storedNumber),
    rootKey: reader.bytes(),
    ownRatchet: { pubKey: reader.bytes(), privKey: reader.bytes() },
    remoteRatchetKey: reader.bytes(),
    previousCounter: reader.storedNumber(),
    sending: readOptional(
      reader,
      (): ChainKey => ({ key: reader.bytes(), counter: reader.storedNumber() - 1 }),
    ),
    receiving: readList(reader, readChain),
    pendingPreKey: readOptional(
      reader,
      (): PendingPreKey => ({
        baseKey: reader.bytes(),
        signedKeyId: reader.storedNumber(),
        preKeyId: readOptional(reader, reader.storedNumber),
      }),
    ),
  }
}

function writeChain(writer: Writer, chain: ReceivingChain): void {
  writer.bytes(chain.ratchetKey)
  writeOptional(writer, chain.key, writer.bytes)
  writer.number(chain.counter + 1)
  writeList(writer, [...chain.skipped], (_, [counter, key]) => {
    writer.number(counter)
    writer.bytes(key)
  })
}

function readChain(reader: Reader): ReceivingChain {
  return {
    ratchetKey: reader.bytes(),
    key: readOptional(reader, reader.bytes),
    counter: reader.storedNumber() - 1,
    skipped: new Map(readList(reader, (): [number, Buffer] => [reader.storedNumber(), reader.bytes()])),
  }
}

function writeOptional<T>(writer: Writer, value: T | null, write: (value: T) => void): void {
  writer.number(value === null ? 0 : 1)
  if (value !== null) write(value)
}

const readOptional = <T>(reader: Reader, read: () => T): T | null => (reader.number() === 1 ? read() : null)

function writeList<T>(writer: Writer, items: readonly T[], write: (writer: Writer, item: T) => void): void {
  writer.number(items.length)
  for (const item of items) write(writer, item)
}

const readList = <T>(reader: Reader, read: (reader: Reader) => T): T[] =>
  Array.from({ length: reader.number() }, () => read(reader))
