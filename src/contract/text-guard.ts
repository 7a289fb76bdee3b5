// Checks JSON text before it is parsed: no duplicate fields, limited depth and number of values. `JSON.parse` keeps the last of
// two equal fields, so two parsers could see two different requests. Parsing a megabyte of brackets would block the event loop
// for half a second (decision 0081).
import { type Fault, MAX_DEPTH, MAX_VALUES, TOO_DEEP, TOO_MANY } from './body-guard.ts'

/** An object or array that is open at the current position. */
interface Level {
  /** Undefined in an array. */
  names: Set<string> | undefined
  /** The current field name or index. */
  current: string | number
}

/** The first fault of a text. Invalid JSON is left to the parser. */
export function findTextFault(text: string): Fault | undefined {
  const levels: Level[] = []
  let level: Level | undefined
  let opened = 0
  let commas = 0
  for (let at = 0; at < text.length; at += 1) {
    switch (text[at]) {
      case '"': {
        const end = endOfString(text, at)
        if (level?.names && isName(text, end) && !addName(level, text.slice(at, end + 1)))
          return { path: pathOf(levels), message: 'must not be given more than once' }
        at = end
        break
      }
      case '{':
      case '[':
        opened += 1
        if (levels.length >= MAX_DEPTH) return { path: pathOf(levels), message: TOO_DEEP }
        level = text[at] === '{' ? { names: new Set(), current: '' } : { names: undefined, current: 0 }
        levels.push(level)
        break
      case '}':
      case ']':
        levels.pop()
        level = levels.at(-1)
        break
      case ',':
        commas += 1
        if (typeof level?.current === 'number') level.current += 1
        break
      default:
    }
    // Both numbers are lower bounds of the number of values.
    if (opened > MAX_VALUES || commas > MAX_VALUES) return { path: '', message: TOO_MANY }
  }
  return undefined
}

const pathOf = (levels: readonly Level[]): string => levels.map(({ current }) => current).join('.')

/** Returns false if the object already has this name. `"\u0061"` and `"a"` are the same name. */
function addName(level: Level, quoted: string): boolean {
  const name = quoted.includes('\\') ? unescaped(quoted) : quoted.slice(1, -1)
  level.current = name
  const names = level.names as Set<string>
  return names.size !== names.add(name).size
}

function unescaped(quoted: string): string {
  try {
    return JSON.parse(quoted) as string
  } catch {
    return quoted
  }
}

/** Position of the closing quote, or the length of the text if there is none. */
function endOfString(text: string, start: number): number {
  for (let end = text.indexOf('"', start + 1); end !== -1; end = text.indexOf('"', end + 1)) {
    let backslashes = 0
    while (text[end - 1 - backslashes] === '\\') backslashes += 1
    if (backslashes % 2 === 0) return end
  }
  return text.length
}

/** Whether a colon follows the string. */
function isName(text: string, end: number): boolean {
  let at = end + 1
  while (text[at] === ' ' || text[at] === '\n' || text[at] === '\r' || text[at] === '\t') at += 1
  return text[at] === ':'
}
