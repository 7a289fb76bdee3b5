// Receives without loss: a message is committed, together with the keys that decrypting it used up, before the library can
// acknowledge it to the network.
import { createHash } from 'node:crypto'
import {
  type BinaryNode,
  DEFAULT_CONNECTION_CONFIG,
  type SignalDataSet,
  type SignalKeyStoreWithTransaction,
  type SocketConfig,
} from 'baileys'
import { useGroupCiphers } from '../group-ciphers.ts'
import type { Arrival, Credentials } from '../network.ts'
import { ARRIVAL_KIND } from './auth-state.ts'
import { cacheLids } from './lid-cache.ts'
import { commitEachStep, ratchetOf } from './ratchet-commits.ts'

type MakeSignalRepository = SocketConfig['makeSignalRepository']

/** What is stored of a received message until it is interpreted. */
export interface ArrivalRecord {
  attrs: Record<string, string>
  /** Decrypted and still padded, as the library expects it. */
  plain: Buffer
}

export interface ArrivalKeeper {
  makeSignalRepository: MakeSignalRepository
  /** Must be called with each message stanza before the library handles it, so that ciphertexts can be traced to their stanza. */
  noteStanza(stanza: BinaryNode): void
}

export function createArrivalKeeper(
  credentials: Pick<Credentials, 'findArrival'>,
  onArrived: (arrival: Arrival) => void,
): ArrivalKeeper {
  const origins = new WeakMap<Uint8Array, { stanza: BinaryNode; name: string }>()

  /** Decrypts inside a key transaction of the library, which commits everything set in it at once. */
  async function keep(
    keys: SignalKeyStoreWithTransaction,
    transactionKey: string,
    ciphertext: Uint8Array,
    decrypt: () => Promise<Uint8Array>,
  ): Promise<Uint8Array> {
    const origin = origins.get(ciphertext)
    if (!origin) return keys.transaction(decrypt, transactionKey)
    // Delivered again, because the acknowledgement was lost: the keys are used up, but the message is stored.
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
      // The library processes missed messages in order, but live messages at once and in between. Marked as missed, a live
      // message joins the same queue, and each chat keeps the order of the network.
      stanza.attrs.offline ??= 'no'
      const { from, participant, id } = stanza.attrs
      const children = Array.isArray(stanza.content) ? stanza.content : []
      for (const [index, { tag, content }] of children.entries()) {
        if (tag !== 'enc' || !(content instanceof Uint8Array)) continue
        // A repeated delivery has the same bytes. A retry is encrypted again, and is another arrival.
        const digest = createHash('sha256').update(content).digest('base64url').slice(0, 16)
        origins.set(content, { stanza, name: [from, participant ?? '', id, index, digest].join('|') })
      }
    },
    makeSignalRepository(auth, logger, pnToLid) {
      const keys = auth.keys as SignalKeyStoreWithTransaction
      const made = DEFAULT_CONNECTION_CONFIG.makeSignalRepository(auth, logger, pnToLid)
      cacheLids(made.lidMapping)
      useGroupCiphers(made, keys)
      const repository = commitEachStep(made, keys)
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
