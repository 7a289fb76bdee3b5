// Receiving without loss: a message is committed, with the keys that decrypting it used up, before the library can tell the
// network that it arrived.
import { createHash } from 'node:crypto'
import {
  type BinaryNode,
  DEFAULT_CONNECTION_CONFIG,
  type SignalDataSet,
  type SignalKeyStoreWithTransaction,
  type SocketConfig,
} from 'baileys'
import type { Arrival, Credentials } from '../network.ts'
import type { AddressTurns } from './address-turns.ts'
import { ARRIVAL_KIND } from './auth-state.ts'
import { commitEachStep, ratchetOf } from './ratchet-commits.ts'

type MakeSignalRepository = SocketConfig['makeSignalRepository']

/** What is kept of a received message until it is made sense of. */
export interface ArrivalRecord {
  attrs: Record<string, string>
  /** Decrypted and still padded, as the library expects it from decryption. */
  plain: Buffer
}

export interface ArrivalKeeper {
  makeSignalRepository: MakeSignalRepository
  /** Must see each message stanza before the library does: ciphertexts are traced back to their stanza. */
  noteStanza(stanza: BinaryNode): void
}

export function createArrivalKeeper(
  credentials: Pick<Credentials, 'findArrival'>,
  onArrived: (arrival: Arrival) => void,
  turns: AddressTurns,
): ArrivalKeeper {
  const origins = new WeakMap<Uint8Array, { stanza: BinaryNode; name: string }>()

  /** Decrypts inside a transaction of the library's own, which commits everything set in it at once. */
  async function keep(
    keys: SignalKeyStoreWithTransaction,
    transactionKey: string,
    ciphertext: Uint8Array,
    decrypt: () => Promise<Uint8Array>,
  ): Promise<Uint8Array> {
    const origin = origins.get(ciphertext)
    if (!origin) return keys.transaction(decrypt, transactionKey)
    // Delivered again because our word never reached the network: the keys are used up, the message is at hand.
    const known = await credentials.findArrival(origin.name)
    if (known) return decodeArrival(known).plain
    const payload = await keys.transaction(async () => {
      const plain = await decrypt()
      const encoded = encodeArrival({ attrs: origin.stanza.attrs, plain: Buffer.from(plain) })
      await keys.set({ [ARRIVAL_KIND]: { [origin.name]: encoded } } as SignalDataSet)
      return encoded
    }, transactionKey)
    onArrived({ name: origin.name, payload })
    return decodeArrival(payload).plain
  }

  return {
    noteStanza(stanza) {
      // The library works on what it missed in order, but on live messages at once and in between. Marked as missed, a live
      // message stands in the same line, and each chat keeps the order in which the network handed it over.
      stanza.attrs.offline ??= 'no'
      const { from, participant, id } = stanza.attrs
      const children = Array.isArray(stanza.content) ? stanza.content : []
      for (const [index, { tag, content }] of children.entries()) {
        if (tag !== 'enc' || !(content instanceof Uint8Array)) continue
        // Delivered again the bytes are the same; encrypted anew for a retry they are not, and then it is another arrival.
        const digest = createHash('sha256').update(content).digest('base64url').slice(0, 16)
        origins.set(content, { stanza, name: [from, participant ?? '', id, index, digest].join('|') })
      }
    },
    makeSignalRepository(auth, logger, pnToLid) {
      const keys = auth.keys as SignalKeyStoreWithTransaction
      const made = DEFAULT_CONNECTION_CONFIG.makeSignalRepository(auth, logger, pnToLid)
      const repository = commitEachStep(made, keys, turns)
      const { decryptMessage, decryptGroupMessage } = repository
      repository.decryptMessage = async (options) =>
        keep(keys, await ratchetOf(repository, options.jid), options.ciphertext, () =>
          decryptMessage(options),
        )
      repository.decryptGroupMessage = (options) =>
        keep(keys, options.group, options.msg, () => decryptGroupMessage(options))
      return repository
    },
  }
}

const encodeArrival = ({ attrs, plain }: ArrivalRecord): Uint8Array =>
  Buffer.from(JSON.stringify({ attrs, plain: plain.toString('base64') }))

export function decodeArrival(payload: Uint8Array): ArrivalRecord {
  const { attrs, plain } = JSON.parse(Buffer.from(payload).toString()) as {
    attrs: Record<string, string>
    plain: string
  }
  return { attrs, plain: Buffer.from(plain, 'base64') }
}
