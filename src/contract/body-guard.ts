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
interface Place {
  value: unknown
  key: string
  parent: Place | undefined
  depth: number
}

/** Text must be stored unchanged by both engines: no NUL, no lone surrogates. */
export function findFault(value: unknown): Fault | undefined {
  let seen = 1
  const waiting: Place[] = [{ value, key: '', parent: undefined, depth: 1 }]
  for (let place = waiting.pop(); place; place = waiting.pop()) {
    const message = faultOf(place.value)
    if (message) return { path: pathOf(place), message }
    if (typeof place.value !== 'object' || place.value === null) continue
    if (place.depth > MAX_DEPTH) {
      return { path: pathOf(place), message: TOO_DEEP }
    }
    const depth = place.depth + 1
    // `for…in` reads one key at a time, so a list of a million values is abandoned at the limit.
    for (const key in place.value) {
      if (++seen > MAX_VALUES) return { path: '', message: TOO_MANY }
      const keyFault = faultOf(key)
      if (keyFault) return { path: pathOf(place), message: `field name ${keyFault}` }
      waiting.push({ value: (place.value as Record<string, unknown>)[key], key, parent: place, depth })
    }
  }
  return undefined
}

function pathOf(place: Place): string {
  const keys: string[] = []
  for (let at = place; at.parent; at = at.parent) keys.unshift(at.key)
  return keys.join('.')
}

function faultOf(value: unknown): string | undefined {
  if (typeof value === 'number' && !Number.isFinite(value)) return 'must not be such a large number'
  if (typeof value !== 'string') return undefined
  if (value.includes('\0')) return 'must not contain the NUL character'
  return value.isWellFormed() ? undefined : 'must be well-formed Unicode'
}
