// The `Prefer` header (RFC 7240): how long a caller would wait for the outcome.

const LONGEST_WAIT_SECONDS = 60
const WAIT = /^\s*wait\s*=\s*"?(\d{1,9})"?\s*(;.*)?$/i

/** At most a minute. A preference that says nothing usable is passed over, as the standard asks. */
export function preferredWaitSeconds(header: string | string[] | undefined): number | undefined {
  const preferences = [header ?? []].flat().flatMap((text) => text.split(','))
  for (const preference of preferences) {
    const seconds = Number(WAIT.exec(preference)?.[1] ?? 0)
    if (seconds > 0) return Math.min(seconds, LONGEST_WAIT_SECONDS)
  }
  return undefined
}
