// Marks in a file: what the process is doing right now. If it dies, the next one reads them. A mark costs one write to the page
// cache and no fsync: the cache outlives the process, and after a power failure a lost mark only means that a death is not counted.
import { randomUUID } from 'node:crypto'
import { closeSync, ftruncateSync, openSync, readFileSync, writeSync } from 'node:fs'

const SLOT_BYTES = 512
/** More marks at the same time are not written: a file of half a megabyte is enough to find one cause. */
const MAX_SLOTS = 1000

export interface CrashMarks {
  /** Marks the work until the returned function is called. */
  set(text: string): () => void
  /** The process ends as it should: nothing it still does is a cause. */
  close(): void
}

export interface FoundMarks {
  /** The process that died. */
  run: string
  marks: string[]
}

/** The marks that an earlier process left in the file. */
export function readCrashMarks(file: string): FoundMarks {
  let bytes: Buffer
  try {
    bytes = readFileSync(file)
  } catch {
    return { run: '', marks: [] }
  }
  const slots: string[] = []
  for (let start = 0; start < bytes.length; start += SLOT_BYTES)
    slots.push(textOf(bytes.toString('utf8', start, start + SLOT_BYTES)))
  const [run = '', ...marks] = slots
  return { run, marks: marks.filter((mark) => mark !== '') }
}

/** Up to the end of its line: behind it is what a longer mark left. A slot that is free begins with the end. */
const textOf = (slot: string): string => slot.slice(0, slot.search(LINE_END)).trim()
const LINE_END = /[\n\0]|$/
const FREE = Buffer.from('\n')

/** Starts a new file, with the name of this process in its first slot. */
export function openCrashMarks(file: string): CrashMarks {
  const descriptor = openSync(file, 'w', 0o600)
  const free: number[] = []
  let slots = 1
  let isClosed = false
  const buffer = Buffer.alloc(SLOT_BYTES)
  const write = (slot: number, text: string) => {
    const length = buffer.write(`${text}\n`)
    writeSync(descriptor, buffer, 0, length, slot * SLOT_BYTES)
  }
  const release = (slot: number) => writeSync(descriptor, FREE, 0, FREE.length, slot * SLOT_BYTES)
  write(0, randomUUID())
  const nothing = () => undefined
  return {
    set(text) {
      const slot = free.pop() ?? (slots <= MAX_SLOTS ? slots++ : undefined)
      if (isClosed || slot === undefined) return nothing
      try {
        write(slot, text)
      } catch {
        // A full disk: the work is more important than its mark.
      }
      return () => {
        if (isClosed) return
        try {
          release(slot)
        } catch {
          // As above.
        }
        free.push(slot)
      }
    },
    close() {
      if (isClosed) return
      isClosed = true
      ftruncateSync(descriptor)
      closeSync(descriptor)
    },
  }
}
