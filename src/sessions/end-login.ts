// Ends a login at the network without a supervised session, for a log-out that an earlier process could not finish.
import { settledWithin } from '../kernel/async/settled-within.ts'
import type { Network, NetworkEvent, NetworkSession } from '../network/network.ts'
import type { SessionRecorder } from '../receiving/recorder.ts'

/**
 * Resolves when the network has confirmed the log-out, when it refused the login, or at the time limit. Half of the time is
 * for the connection, half for the log-out. Never rejects.
 */
export async function endLoginAtNetwork(
  network: Network,
  { credentials, sessionOptions }: Pick<SessionRecorder, 'credentials' | 'sessionOptions'>,
  waitMs: number,
  signal: AbortSignal,
): Promise<void> {
  const outcome = Promise.withResolvers<'opened' | 'over'>()
  const timer = setTimeout(() => outcome.resolve('over'), waitMs / 2)
  const stop = () => outcome.resolve('over')
  signal.addEventListener('abort', stop)
  const onEvent = async ({ kind }: NetworkEvent) => {
    if (kind === 'opened') outcome.resolve('opened')
    // A QR code means that the credentials hold no login.
    else if (kind === 'closed' || kind === 'qr') outcome.resolve('over')
  }
  const connecting = connect()
  async function connect(): Promise<NetworkSession> {
    const options = await sessionOptions()
    return network.connect({
      ...options,
      credentials: await credentials(),
      onEvent,
      findSent: async () => undefined,
      findOriginals: async () => [],
    })
  }
  connecting.catch(() => outcome.resolve('over'))
  const isOpen = (await outcome.promise) === 'opened'
  clearTimeout(timer)
  signal.removeEventListener('abort', stop)
  await endSession(connecting, isOpen, waitMs / 2)
}

async function endSession(
  connecting: Promise<NetworkSession>,
  isOpen: boolean,
  waitMs: number,
): Promise<void> {
  const ended = connecting.then((session) => (isOpen ? session.logOut() : session.close()))
  await settledWithin(ended, waitMs)
}
