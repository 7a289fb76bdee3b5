// Limits lookups of profile pictures: a page that shows a hundred of them must not cause a hundred requests at once.

import type { FileContent } from '../contract/route.ts'
import { createSemaphore } from '../kernel/async/semaphore.ts'
import { NetworkError, type NetworkSession } from '../network/network.ts'

const AT_ONCE = 2
const MAX_WAITING = 100

interface Lookups {
  acquire: () => Promise<() => void>
  /** Under way or waiting, by chat: callers for the same picture share one lookup. */
  byChat: Map<string, Promise<FileContent | null>>
}

export function createPictureLookups(
  openSession: (instanceId: number) => NetworkSession,
): (instanceId: number, chat: string) => Promise<FileContent | null> {
  const lookups = new Map<number, Lookups>()

  async function lookUp({ acquire }: Lookups, instanceId: number, chat: string): Promise<FileContent | null> {
    const release = await acquire()
    try {
      return await openSession(instanceId).profilePicture(chat)
    } finally {
      release()
    }
  }
  return async (instanceId, chat) => {
    const own = lookups.get(instanceId) ?? { acquire: createSemaphore(AT_ONCE), byChat: new Map() }
    lookups.set(instanceId, own)
    const running = own.byChat.get(chat)
    if (running) return running
    if (own.byChat.size >= MAX_WAITING) {
      throw new NetworkError('unavailable', 'too many profile picture lookups are waiting')
    }
    const started = lookUp(own, instanceId, chat).finally(() => {
      own.byChat.delete(chat)
      if (own.byChat.size === 0) lookups.delete(instanceId)
    })
    own.byChat.set(chat, started)
    return started
  }
}
