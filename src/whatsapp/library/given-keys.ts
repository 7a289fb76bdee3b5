// Which records of who has the key of a group the store has. The library writes the record with each message to the group, nearly
// always as it is stored already, and that would be a commit for each message.
import { hash } from 'node:crypto'
import { createBoundedMap } from '../../kernel/async/bounded-map.ts'

/**
 * The record of who has the key of a group. The library writes it when it believes the frame with the key to be sent, while the
 * frame may still wait at the barrier. If the process were killed then, the next one would send messages that members cannot
 * decrypt. So this write waits until the frame is sent.
 */
export const GIVEN_KEYS = 'sender-key-memory'
const GROUPS_KEPT = 500

export interface GivenKeys {
  /** The store has had this record; null: none. */
  noteRead(kind: string, name: string, value: Uint8Array | null): void
  /** From now on it is uncertain what the store has. The result is called when this write has succeeded. */
  beginWrite(kind: string, name: string, value: Uint8Array | null): () => void
  /** The store has exactly this record. */
  isStored(kind: string, name: string, value: Uint8Array | null): boolean
}

/** Compares bytes: the library changes the record in the memory that it was read into, before it writes it. */
export function createGivenKeys(): GivenKeys {
  const digests = createBoundedMap<string, string>(GROUPS_KEPT)
  /** How many writes of a record have begun and not succeeded. After a failed one no later write of the connection succeeds. */
  const underWay = new Map<string, number>()

  function note(name: string, value: Uint8Array | null): void {
    if (value) digests.set(name, digestOf(value))
    else digests.delete(name)
  }
  return {
    noteRead(kind, name, value) {
      if (kind === GIVEN_KEYS && !underWay.has(name)) note(name, value)
    },
    beginWrite(kind, name, value) {
      if (kind !== GIVEN_KEYS) return () => undefined
      digests.delete(name)
      underWay.set(name, (underWay.get(name) ?? 0) + 1)
      return () => {
        const others = (underWay.get(name) ?? 1) - 1
        if (others > 0) underWay.set(name, others)
        else {
          underWay.delete(name)
          note(name, value)
        }
      }
    },
    isStored: (kind, name, value) =>
      kind === GIVEN_KEYS && value !== null && digests.get(name) === digestOf(value),
  }
}

const digestOf = (value: Uint8Array): string => hash('sha256', value, 'base64')
