// The network library as it is installed, with the settings of the driver and nothing replaced in it, connected to a bare network.
import { once } from 'node:events'
import { setTimeout } from 'node:timers/promises'
import {
  type AuthenticationCreds,
  type BinaryNode,
  DEFAULT_CONNECTION_CONFIG,
  initAuthCreds,
  type SignalDataSet,
  type SignalKeyStore,
  type SocketConfig,
  type WASocket,
} from 'baileys'
import { innerSocketOf } from '../../src/whatsapp/library/inner-socket.ts'
import { openSocket, type VersionedSettings } from '../../src/whatsapp/library/open-socket.ts'
import { createQuietLogger } from '../../src/whatsapp/library/quiet-logger.ts'
import { withRootKey } from '../../src/whatsapp/library/root-key.ts'
import { builtInVersion } from '../../src/whatsapp/library/versions.ts'
import { startBareNetwork } from './bare-network.ts'

const ME = { id: '5511900000001:2@s.whatsapp.net', lid: '111:2@lid', name: 'Ana' }
/** Far more than a handshake needs, also on a busy machine. */
const JOIN_MS = 15_000
const log = { debug: () => undefined, warn: () => undefined }
export const silentLogger = createQuietLogger(log, () => undefined)

/** A login that the network has accepted before. */
export const linkedCreds = (): AuthenticationCreds => ({ ...initAuthCreds(), me: ME })

export function memoryKeys() {
  const rows = new Map<string, unknown>()
  const writes: SignalDataSet[] = []
  const store: SignalKeyStore = {
    get: async (kind, ids) =>
      Object.fromEntries(
        ids.flatMap((id) => (rows.has(`${kind}/${id}`) ? [[id, rows.get(`${kind}/${id}`)]] : [])),
      ) as never,
    async set(data) {
      writes.push(data)
      for (const [kind, values] of Object.entries(data))
        for (const [id, value] of Object.entries(values)) rows.set(`${kind}/${id}`, value)
    },
  }
  return { store, rows, writes }
}

export interface BareLibraryOptions {
  creds?: AuthenticationCreds
  /** What the network answers to a stanza. */
  answer?: (stanza: BinaryNode) => BinaryNode | undefined
  /** Absent: the root that the network has. */
  rootPublicKey?: Uint8Array
  getMessage?: SocketConfig['getMessage']
  makeSignalRepository?: SocketConfig['makeSignalRepository']
  onGivenUp?: (text: string) => void
  /** Called in the turn in which the socket is made. */
  onMade?: (socket: WASocket) => void
}

/** The settings of a driver on this network. */
export const bareSettings = ({ url }: { url: string }): VersionedSettings => ({
  wsUrl: url,
  version: builtInVersion(),
  rootPublicKey: undefined,
  uploadAgent: undefined,
  downloadDispatcher: undefined,
  log,
})

/** Resolves when the handshake is complete, or has failed. */
export async function openBareLibrary(options: BareLibraryOptions = {}) {
  const { creds = linkedCreds(), answer, getMessage = async () => undefined, onMade } = options
  const { makeSignalRepository = DEFAULT_CONNECTION_CONFIG.makeSignalRepository } = options
  const network = await startBareNetwork(answer)
  const keys = memoryKeys()
  const socket = withRootKey(options.rootPublicKey ?? network.rootPublicKey, () =>
    openSocket(
      bareSettings(network),
      { creds, keys: { ...keys.store, cached: () => undefined }, saveCreds: async () => undefined },
      {},
      {
        logger: options.onGivenUp ? createQuietLogger(log, () => undefined, options.onGivenUp) : silentLogger,
        makeSignalRepository,
        getMessage,
        cachedGroupMetadata: async () => undefined,
      },
    ),
  )
  onMade?.(socket)
  const inner = innerSocketOf(socket)
  const closed = once(inner as never, 'close')
  const late = setTimeout(JOIN_MS, 'late', { ref: false })
  if ((await Promise.race([network.joined, closed, late])) === 'late')
    throw new Error('the library does not complete the handshake, mend that first')
  return {
    network,
    socket,
    rows: keys.rows,
    creds,
    async close() {
      await socket.end(undefined)
      await network.close()
      await closed
    },
  }
}
