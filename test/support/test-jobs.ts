// How the files of a test run are spread over processes, and the processes over machines. These are functions of their arguments, so that
// each machine comes to the same division without knowing of the others.

/** The share of a suite that one process runs. */
export interface Job {
  name: string
  files: string[]
  environment: Record<string, string>
  seconds: number
  /** Jobs with the same text run on one machine, because one reads what the others have left. */
  together?: string | undefined
  /** Its tests wait most of the time, so that it runs beside the others. */
  waits: boolean
  /** It runs after the others. */
  last: boolean
}

/** One of several machines that share a run; the first one is 1. */
export interface Shard {
  index: number
  count: number
}

/** Reads `2/3`. */
export function readShard(text: string): Shard {
  const [, index, count] = (/^(\d+)\/(\d+)$/.exec(text) ?? []).map(Number)
  if (index === undefined || count === undefined || index < 1 || index > count)
    throw new Error(`--shard is not one of 1/3, 2/3 and 3/3, or the like: ${text}`)
  return { index, count }
}

interface Part<Each> {
  items: Each[]
  seconds: number
}

/** The longest ones first, each to the part that has the least so far. */
export function spread<Each>(items: Each[], count: number, secondsOf: (item: Each) => number): Part<Each>[] {
  const parts = Array.from({ length: count }, (): Part<Each> => ({ items: [], seconds: 0 }))
  for (const item of items.toSorted((a, b) => secondsOf(b) - secondsOf(a))) {
    const least = parts.reduce((found, each) => (each.seconds < found.seconds ? each : found))
    least.items.push(item)
    least.seconds += secondsOf(item)
  }
  return parts
}

/** The jobs of one machine, in their order. A machine has none if there are fewer jobs than machines. */
export function jobsOfShard(jobs: Job[], { index, count }: Shard): Job[] {
  const groups = Object.values(Object.groupBy(jobs, ({ name, together }) => together ?? `alone ${name}`))
  const secondsOf = (group: Job[] = []): number => group.reduce((sum, { seconds }) => sum + seconds, 0)
  const mine = new Set(spread(groups, count, secondsOf)[index - 1]?.items.flat())
  return jobs.filter((job) => mine.has(job))
}
