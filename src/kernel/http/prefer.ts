// The `Prefer` header (RFC 7240): how long the caller is willing to wait for the outcome (decision 0032).

const LONGEST_WAIT_SECONDS = 60
const WAIT = /^\s*wait\s*=\s*"?(\d{1,9})"?\s*(;.*)?$/i

/** At most a minute. Invalid preferences are ignored, as the standard requires. */
export function preferredWaitSeconds(header: string | string[] | undefined): number | undefined {
  const preferences = [header ?? []].flat().flatMap((text) => text.split(','))
  for (const preference of preferences) {
    const seconds = Number(WAIT.exec(preference)?.[1] ?? 0)
    if (seconds > 0) return Math.min(seconds, LONGEST_WAIT_SECONDS)
  }
  return undefined
}
