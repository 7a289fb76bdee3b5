// Sessions where no network driver is attached: every live question is refused, nothing is pretended.
import { type LiveSessions, NetworkError } from '../network/network.ts'

export function createUnattachedSessions(): LiveSessions {
  const refuse = async (): Promise<never> => {
    throw new NetworkError('unavailable', 'no messaging network is attached to this server')
  }
  return {
    pair: refuse,
    qr: refuse,
    restart: refuse,
    logOut: async () => undefined,
    checkNumber: refuse,
    profilePicture: refuse,
    close: async () => undefined,
  }
}
