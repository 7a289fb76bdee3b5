// Decides whether a presence is a change that is reported.

interface Known {
  presence: string | null
  last_seen: number | null
}

/** The network repeats the current presence after each subscription, and typing while it goes on. */
export const isPresenceNews = (
  known: Known,
  { presence, lastSeenMs }: { presence: string; lastSeenMs: number | null },
): boolean => known.presence !== presence || (presence === 'unavailable' && known.last_seen !== lastSeenMs)
