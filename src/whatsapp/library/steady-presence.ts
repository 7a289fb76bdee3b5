// Keeps the presence of the account as the gateway has set it. The library announces the name of the account with a presence that has no
// type, after each change of the login, whether the name has changed or not. The network shows the account as online then, and the
// owner's phone stops to ring.
import type { AuthenticationCreds, BaileysEventEmitter, WASocket } from 'baileys'

type Presence = 'available' | 'unavailable'

export interface PresenceSocket {
  ev: Pick<BaileysEventEmitter, 'emit' | 'on'>
  sendPresenceUpdate: WASocket['sendPresenceUpdate']
}

/** Returns the call to use in place of the library's. `isOnline`: what the library announces when the connection opens. */
export function keepPresence(
  { ev, sendPresenceUpdate }: PresenceSocket,
  creds: Pick<AuthenticationCreds, 'me'>,
  isOnline: boolean,
  log: { debug(message: string): void },
): Pick<WASocket, 'sendPresenceUpdate'> {
  let shown: Presence = isOnline ? 'available' : 'unavailable'
  let isOpen = false
  ev.on('connection.update', ({ connection }) => {
    if (connection) isOpen = connection === 'open'
  })
  const announce = () =>
    void sendPresenceUpdate(shown).catch((error: unknown) =>
      log.debug(`driver: the name of the account was not announced: ${String(error)}`),
    )
  const emit = ev.emit.bind(ev)
  ev.emit = (event, data) => {
    if (event !== 'creds.update') return emit(event, data)
    const update = data as Partial<AuthenticationCreds>
    const before = creds.me?.name
    // The library compares the name in the update with this one, also if the update has none.
    if (update.me) creds.me = update.me
    const isEmitted = emit('creds.update', creds.me ? { ...update, me: creds.me } : update)
    // While the connection opens, the library announces the presence itself.
    if (isOpen && creds.me?.name !== undefined && creds.me.name !== before) announce()
    return isEmitted
  }
  return {
    async sendPresenceUpdate(type, chat) {
      if (type === 'available' || type === 'unavailable') shown = type
      await sendPresenceUpdate(type, chat)
    },
  }
}
