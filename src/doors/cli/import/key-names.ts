// The names under which the library's folder and its descendants store keys: `{kind}-{name}`, in files with two characters replaced.

/** The longest first: `sender-key-memory` also begins with `sender-key`. */
const KINDS = [
  'app-state-sync-version',
  'app-state-sync-key',
  'sender-key-memory',
  'identity-key',
  'lid-mapping',
  'device-list',
  'sender-key',
  'pre-key',
  'session',
  'tctoken',
]

export interface KeyName {
  kind: string
  name: string
}

/** Undefined: not the name of a key. */
export function readKeyName(stored: string): KeyName | undefined {
  const kind = KINDS.find((each) => stored.startsWith(`${each}-`))
  return kind === undefined ? undefined : { kind, name: stored.slice(kind.length + 1) }
}

/** Of a file: `/` was replaced by `__` and `:` by `-`, which is undone only where the kind has such characters. */
export function readKeyFileName(file: string): KeyName | undefined {
  if (!file.endsWith('.json')) return undefined
  const found = readKeyName(file.slice(0, -'.json'.length))
  return found && { kind: found.kind, name: UNESCAPE[found.kind]?.(found.name) ?? found.name }
}

const UNESCAPE: Record<string, (name: string) => string> = {
  // Base64 has no underscore.
  'app-state-sync-key': (name) => name.replaceAll('__', '/'),
  // Group, person and device. The jid of an old group has a dash of its own.
  'sender-key': (name) => name.replace(/^(.+@[\w.]+)--(.+)--(\d+)$/, '$1::$2::$3'),
}
