// A scripted network, and a recorder that remembers what a session wrote: for tests of its supervisor.
import type {
  CloseCause,
  ConnectOptions,
  Network,
  NetworkEvent,
  NetworkSession,
  SessionOptions,
} from '../../src/network/network.ts'
import type { SessionRecorder } from '../../src/receiving/recorder.ts'
import { createStateKeeper } from '../../src/sessions/state-keeper.ts'
import type { InstanceStates } from '../../src/sessions/supervisor-parts.ts'
import type { WantedState } from '../../src/sessions/wanted-state.ts'
import type { ManualTime } from './manual-time.ts'

export interface Connection {
  session: NetworkSession
  emit(event: NetworkEvent): Promise<void>
  close(cause: CloseCause, until?: number | null): Promise<void>
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
    /** What the network answers about a restriction of the account. */
    restriction: async (): Promise<number | null> => null,
    closing: async (): Promise<void> => undefined,
    /** What happens once the network has received the log-out. */
    loggingOut: async (): Promise<void> => undefined,
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
            await script.loggingOut()
          },
          reportGroups: async () => undefined,
          restrictedUntil: async () => script.restriction(),
        } as Partial<NetworkSession> as NetworkSession,
        emit: (event) => options.onEvent(event),
        close(cause, until = null) {
          gone()
          return options.onEvent({ kind: 'closed', cause, until })
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

export function scriptedRecorder({ timers }: Pick<ManualTime, 'timers'>) {
  const moves: string[] = []
  const logs: string[] = []
  const recorded: { event: NetworkEvent; session: NetworkSession | undefined }[] = []
  const taken: NetworkSession[] = []
  const script = {
    moves,
    logs,
    recorded,
    taken,
    wanted: [] as WantedState[],
    failure: undefined as Error | undefined,
    /** The settings that the instance has now. */
    options: {} as SessionOptions,
  }
  const write = async (word: string) => {
    if (script.failure) throw script.failure
    moves.push(word)
  }
  const recorder: SessionRecorder = {
    credentials: async () => ({}) as Awaited<ReturnType<SessionRecorder['credentials']>>,
    sessionOptions: async () => script.options,
    findSent: async () => undefined,
    findOriginals: async () => [],
    recordPairingCode: () => write('pairing_code_shown'),
    async afterOpening(session) {
      taken.push(session)
    },
    async record(event, session) {
      recorded.push({ event, session: session() })
    },
    allWritten: async () => undefined,
    log: (message) => void logs.push(message),
  }
  const keeper = createStateKeeper({
    write: (_instanceId, { event, clearsLogin }) => write(clearsLogin ? 'login_gone' : event),
    log: (_instanceId, message) => void logs.push(message),
    timers,
  })
  const states: InstanceStates = {
    recordState(wanted) {
      script.wanted.push(wanted)
      return keeper.recordState(1, wanted)
    },
    whenSaved: () => keeper.whenSaved(1),
  }
  return Object.assign(script, { recorder, states })
}
