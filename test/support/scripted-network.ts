// A network that does what a test says, and books that remember what a session wrote: for tests of its supervisor.
import type {
  CloseCause,
  ConnectOptions,
  Network,
  NetworkEvent,
  NetworkSession,
} from '../../src/network/network.ts'
import type { SessionBooks } from '../../src/sessions/session-books.ts'

export const tick = () => new Promise<void>((resolve) => setImmediate(resolve))

export interface Connection {
  session: NetworkSession
  emit(event: NetworkEvent): Promise<void>
  close(cause: CloseCause): Promise<void>
  isClosed: boolean
  isLoggedOut: boolean
}

export function scriptedNetwork() {
  const connections: Connection[] = []
  const script = {
    connections,
    openAtOnce: 0,
    mostAtOnce: 0,
    /** What happens before connect() resolves. */
    connecting: async (_connection: Connection): Promise<void> => undefined,
    /** What the network answers about the account's standing. */
    standing: async (): Promise<number | null> => null,
    closing: async (): Promise<void> => undefined,
    get last(): Connection {
      return connections.at(-1) as Connection
    },
  }
  const network: Network = {
    async connect(options: ConnectOptions) {
      const gone = () => {
        if (!connection.isClosed) script.openAtOnce -= 1
        connection.isClosed = true
      }
      const connection: Connection = {
        isClosed: false,
        isLoggedOut: false,
        session: {
          async close() {
            await script.closing()
            gone()
            void options.onEvent({ kind: 'closed', cause: 'ended' })
          },
          async logOut() {
            connection.isLoggedOut = true
            gone()
          },
          restrictedUntil: async () => script.standing(),
        } as NetworkSession,
        emit: (event) => options.onEvent(event),
        close(cause) {
          gone()
          return options.onEvent({ kind: 'closed', cause })
        },
      }
      connections.push(connection)
      script.openAtOnce += 1
      script.mostAtOnce = Math.max(script.mostAtOnce, script.openAtOnce)
      await script.connecting(connection)
      return connection.session
    },
  }
  return Object.assign(script, { network })
}

export function scriptedBooks() {
  const moves: string[] = []
  const logs: string[] = []
  const recorded: { event: NetworkEvent; session: NetworkSession | undefined }[] = []
  const taken: NetworkSession[] = []
  const script = { moves, logs, recorded, taken, failure: undefined as Error | undefined }
  const write = async (word: string) => {
    await tick()
    if (script.failure) throw script.failure
    moves.push(word)
  }
  const books: SessionBooks = {
    credentials: async () => ({}) as Awaited<ReturnType<SessionBooks['credentials']>>,
    findSent: async () => undefined,
    move: write,
    codeShown: () => write('code_shown'),
    pairingCodeShown: () => write('pairing_code_shown'),
    opened: () => write('opened'),
    async afterOpening(session) {
      taken.push(session)
    },
    loginGone: () => write('login_gone'),
    async record(event, session) {
      recorded.push({ event, session: session() })
    },
    settled: async () => undefined,
    log: (words) => void logs.push(words),
  }
  return Object.assign(script, { books })
}
