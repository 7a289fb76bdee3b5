// The result of a poll: the last vote of each person counts.

/** Null: the vote could not be decrypted. Empty: it was withdrawn. */
export interface PollVote {
  voter: string
  /** Positions in the poll, or the names that an older program has stored. */
  options: readonly (number | string)[] | null
}

export interface PollResult {
  voters: number
  unreadable: number
  options: { name: string; votes: number; voters: string[] }[]
}

/** Phones offer twelve. A poll that an older program has stored may have any number. */
const MAX_OPTIONS = 100
/** The members of the largest group. */
const MAX_NAMED = 1024

/** `votes` are in any order of people, and those of one person with the latest first. */
export function pollResult(options: readonly string[], votes: Iterable<PollVote>): PollResult {
  const last = new Map<string, PollVote['options']>()
  for (const { voter, options: chosen } of votes) if (!last.has(voter)) last.set(voter, chosen)
  const counted = options.slice(0, MAX_OPTIONS).map((name) => ({ name, votes: 0, voters: [] as string[] }))
  const byName = new Map(counted.map((option, index) => [option.name, index] as const).toReversed())
  let [voters, unreadable] = [0, 0]
  for (const [voter, chosen] of last) {
    if (chosen === null) unreadable += 1
    const known = new Set(
      (chosen ?? []).slice(0, MAX_OPTIONS).flatMap((each) => positionOf(each, byName, counted.length)),
    )
    if (known.size > 0) voters += 1
    for (const index of known) {
      const option = counted[index] as (typeof counted)[number]
      option.votes += 1
      if (option.voters.length < MAX_NAMED) option.voters.push(voter)
    }
  }
  return { voters, unreadable, options: counted }
}

/** Of equal names, the first counts. */
function positionOf(chosen: number | string, byName: ReadonlyMap<string, number>, count: number): number[] {
  const index = typeof chosen === 'number' ? chosen : byName.get(chosen)
  return index !== undefined && Number.isInteger(index) && index >= 0 && index < count ? [index] : []
}
