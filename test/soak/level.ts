// Is a line level? Judges what was measured of a process over a long run.

export interface Sample {
  /** Since the run began. */
  seconds: number
  rssBytes: number
  descriptors: number
}

export interface LevelVerdict {
  /** Empty: level. Each says what rose. */
  faults: string[]
  /** At the start (memory alone), in the second part, in the last. */
  words: string
}

/**
 * This many parts of equal length; the second is compared with the last, for the first is the warm-up. Memory rises and falls with the
 * collector over five to ten minutes: in a run of half an hour shorter parts would see one side of that alone.
 */
const PARTS = 3
const RSS_SHARE = 0.1
/** What rises in the warm-up and stays there is level too, but must not have risen far, unless the run says how far. */
const RSS_SHARE_OF_START = 0.6
/** Connections come and go; none may stay. */
const MORE_DESCRIPTORS = 10

const MB = 1024 * 1024

/** By medians: neither a peak at the moment of a sample nor a dip after a collection decides. */
export function judgeLevel(name: string, samples: readonly Sample[], maxRssMb?: number): LevelVerdict {
  const [early, late] = [1, PARTS - 1].map((part) => partOf(samples, part))
  if (!early?.length || !late?.length)
    return { faults: [`${name}: too few samples`], words: `${name}: too few samples` }
  const rss = [early, late].map((part) => median(part.map(({ rssBytes }) => rssBytes)) / MB)
  const descriptors = [early, late].map((part) => median(part.map((sample) => sample.descriptors)))
  const [rssBefore = 0, rssAfter = 0] = rss
  const [openBefore = 0, openAfter = 0] = descriptors
  const rssAtStart = (samples[0]?.rssBytes ?? 0) / MB
  const rssWords = `${name}: RSS ${[rssAtStart, rssBefore, rssAfter].map(Math.round).join(' → ')} MB`
  const limit = maxRssMb ?? rssAtStart * (1 + RSS_SHARE_OF_START)
  const isHigher = rssAfter > rssBefore * (1 + RSS_SHARE) || rssAfter > limit
  const openWords = `${name}: descriptors ${openBefore} → ${openAfter}`
  return {
    faults: [
      ...(isHigher ? [rssWords] : []),
      ...(openAfter > openBefore + MORE_DESCRIPTORS ? [openWords] : []),
    ],
    words: `${rssWords}, ${openWords.slice(name.length + 2)}`,
  }
}

/** By time, not by count: a busy machine leaves samples out. */
function partOf(samples: readonly Sample[], part: number): Sample[] {
  const end = samples.at(-1)?.seconds ?? 0
  if (end === 0) return []
  const [from, to] = [part, part + 1].map((index) => (end * index) / PARTS)
  return samples.filter(({ seconds }) => seconds >= (from ?? 0) && seconds <= (to ?? 0))
}

function median(values: readonly number[]): number {
  const sorted = values.toSorted((a, b) => a - b)
  const middle = (sorted.length - 1) / 2
  return ((sorted[Math.floor(middle)] ?? 0) + (sorted[Math.ceil(middle)] ?? 0)) / 2
}
