// The result of a poll: the last vote of each person counts.

/** Null: the vote could not be decrypted. Empty: it was withdrawn. */
export interface PollVote {
  voter: string
  options: readonly string[] | null
}

export interface PollResult {
  voters: number
  unreadable: number
  options: { name: string; votes: number; voters: string[] }[]
}

/** `votes` are in any order of people, and those of one person with the latest first. */
export function pollResult(options: readonly string[], votes: Iterable<PollVote>): PollResult {
  const last = new Map<string, readonly string[] | null>()
  for (const { voter, options: chosen } of votes) if (!last.has(voter)) last.set(voter, chosen)
  const counted = [...last].filter(([, chosen]) => options.some((option) => chosen?.includes(option)))
  return {
    voters: counted.length,
    unreadable: [...last.values()].filter((chosen) => chosen === null).length,
    options: options.map((name) => {
      const voters = counted.filter(([, chosen]) => chosen?.includes(name)).map(([voter]) => voter)
      return { name, votes: voters.length, voters }
    }),
  }
}
