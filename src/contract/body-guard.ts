// Checks a parsed JSON body or query before its schema: limited depth and number of values, and only text that both database
// engines can store. `text-guard.ts` checks the text of a body before that.

export const MAX_DEPTH = 32
export const MAX_VALUES = 20_000

export const TOO_MANY = `must not contain more than ${MAX_VALUES} values`
export const TOO_DEEP = `must not be nested deeper than ${MAX_DEPTH} levels`

export interface Fault {
  path: string
  message: string
}

/** Position of a value. The path is only built for a fault, because a body can have thousands of values. */
interface Visit {
  value: unknown
  key: string
  parent: Visit | undefined
  depth: number
}

/** Text must be stored unchanged by both engines: no NUL, no lone surrogates. */
export function findFault(value: unknown): Fault | undefined {
  let seen = 1
  const waiting: Visit[] = [{ value, key: '', parent: undefined, depth: 1 }]
  for (let visit = waiting.pop(); visit; visit = waiting.pop()) {
    const message = faultOf(visit.value)
    if (message) return { path: pathOf(visit), message }
    if (typeof visit.value !== 'object' || visit.value === null) continue
    if (visit.depth > MAX_DEPTH) {
      return { path: pathOf(visit), message: TOO_DEEP }
    }
    const depth = visit.depth + 1
    // `for…in` reads one key at a time, so a list of a million values is abandoned at the limit.
    for (const key in visit.value) {
      if (++seen > MAX_VALUES) return { path: '', message: TOO_MANY }
      const keyFault = faultOf(key)
      if (keyFault) return { path: pathOf(visit), message: `field name ${keyFault}` }
      waiting.push({ value: (visit.value as Record<string, unknown>)[key], key, parent: visit, depth })
    }
  }
  return undefined
}

function pathOf(visit: Visit): string {
  const keys: string[] = []
  for (let at = visit; at.parent; at = at.parent) keys.unshift(at.key)
  return keys.join('.')
}

function faultOf(value: unknown): string | undefined {
  if (typeof value === 'number' && !Number.isFinite(value)) return 'must not be such a large number'
  if (typeof value !== 'string') return undefined
  if (value.includes('\0')) return 'must not contain the NUL character'
  return value.isWellFormed() ? undefined : 'must be well-formed Unicode'
}
