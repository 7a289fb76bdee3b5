// What no JSON body or query may contain, checked in one walk before any schema (attack list 10).

const MAX_DEPTH = 32
const MAX_VALUES = 20_000

export interface Fault {
  path: string
  message: string
}

/** The first fault of a parsed value, or undefined. Text must survive both engines exactly: no NUL, no half characters. */
export function findFault(value: unknown): Fault | undefined {
  let values = 0
  const waiting: { value: unknown; path: string; depth: number }[] = [{ value, path: '', depth: 1 }]
  for (let next = waiting.pop(); next; next = waiting.pop()) {
    values += 1
    if (values > MAX_VALUES) return { path: '', message: `more than ${MAX_VALUES} values` }
    const message = faultOf(next.value)
    if (message) return { path: next.path, message }
    if (typeof next.value !== 'object' || next.value === null) continue
    if (next.depth > MAX_DEPTH) return { path: next.path, message: `nested deeper than ${MAX_DEPTH} levels` }
    for (const [key, child] of Object.entries(next.value)) {
      const path = next.path === '' ? key : `${next.path}.${key}`
      const keyFault = faultOf(key)
      if (keyFault) return { path: next.path, message: `a field name ${keyFault}` }
      waiting.push({ value: child, path, depth: next.depth + 1 })
    }
  }
  return undefined
}

function faultOf(value: unknown): string | undefined {
  if (typeof value === 'number' && !Number.isFinite(value)) return 'is too large a number'
  if (typeof value !== 'string') return undefined
  if (value.includes('\0')) return 'must not contain the NUL character'
  return value.isWellFormed() ? undefined : 'must be well-formed Unicode'
}
