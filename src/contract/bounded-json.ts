// Fits a value into a number of bytes of JSON: texts and lists are cut until it does. What was cut is marked by the caller.

export type JsonValue = null | boolean | number | string | JsonValue[] | { [name: string]: JsonValue }

/** An event with its envelope is at most this long, so that a receiver can set a limit for its bodies. */
export const MAX_EVENT_BYTES = 256 * 1024

/** Each step cuts more: code units of a text, elements of a list. The last one fits into any limit that is used here. */
const STEPS = [
  { text: 16_384, list: 1024 },
  { text: 4096, list: 512 },
  { text: 2048, list: 256 },
  { text: 512, list: 64 },
  { text: 128, list: 16 },
  { text: 32, list: 4 },
]

/** A UTF-16 code unit is at most three bytes of UTF-8. */
const MAX_UNIT_BYTES = 3

export const jsonBytes = (value: unknown): number => Buffer.byteLength(JSON.stringify(value))

export const fitsInto = (json: string, maxBytes: number): boolean =>
  json.length * MAX_UNIT_BYTES <= maxBytes || Buffer.byteLength(json) <= maxBytes

/** The value itself if it fits. Fields are never dropped, so that a value stays of its type; texts and lists are shortened at their end. */
export function fitJson<T>(value: T, maxBytes: number): { value: T; truncated: boolean } {
  if (fitsInto(JSON.stringify(value), maxBytes)) return { value, truncated: false }
  let cut = value
  for (const step of STEPS) {
    cut = shorten(cut as JsonValue, step) as T
    if (fitsInto(JSON.stringify(cut), maxBytes)) break
  }
  return { value: cut, truncated: true }
}

function shorten(value: JsonValue, step: (typeof STEPS)[number]): JsonValue {
  if (typeof value === 'string') return cutText(value, step.text)
  if (Array.isArray(value)) return value.slice(0, step.list).map((each) => shorten(each, step))
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(Object.entries(value).map(([name, each]) => [name, shorten(each, step)]))
}

/** Never between the halves of a surrogate pair. */
export function cutText(text: string, length: number): string {
  if (text.length <= length) return text
  const isHalf = /[\uD800-\uDBFF]/.test(text.charAt(length - 1))
  return text.slice(0, isHalf ? length - 1 : length)
}

/** The longest start of a text whose JSON has at most this many bytes. */
export function fitText(text: string, maxBytes: number): string {
  if (fitsInto(JSON.stringify(text), maxBytes)) return text
  let [low, high] = [0, text.length]
  while (low < high) {
    const middle = Math.ceil((low + high) / 2)
    if (jsonBytes(text.slice(0, middle)) <= maxBytes) low = middle
    else high = middle - 1
  }
  return cutText(text, low)
}
