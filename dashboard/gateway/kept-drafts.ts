// Texts that were typed and not sent, kept in this browser for each account and chat until they are sent or the reader signs out.

export type Drafts = Readonly<Record<string, string>>

/** The oldest drafts give way. */
const MOST_DRAFTS = 100
const MAX_DRAFT_LENGTH = 10_000
const NONE: Drafts = {}
const PREFIX = 'switchboard.drafts.'

/** The newest draft comes last. A blank text removes the draft. */
export function withDraft(drafts: Drafts, chat: string, text: string): Drafts {
  const { [chat]: _before, ...others } = drafts
  if (text.trim() === '') return others
  const entries = [...Object.entries(others), [chat, text.slice(0, MAX_DRAFT_LENGTH)]]
  return Object.fromEntries(entries.slice(-MOST_DRAFTS)) as Drafts
}

/** What is stored can be anything: another program of this origin may have written it. */
export function parseDrafts(stored: string | null): Drafts {
  try {
    const parsed: unknown = JSON.parse(stored ?? '{}')
    if (typeof parsed !== 'object' || parsed === null || Array.isArray(parsed)) return NONE
    return Object.fromEntries(Object.entries(parsed).filter(([, text]) => typeof text === 'string'))
  } catch {
    return NONE
  }
}

export interface KeptDrafts {
  /** The same object until a draft changes. */
  of(accountId: number | undefined): Drafts
  keep(accountId: number, chat: string, text: string): void
  forget(): void
  onChange(listener: () => void): () => void
}

/** `storage` is a parameter, because a module must not use the browser when it is imported. */
export function createKeptDrafts(storage: () => Storage): KeptDrafts {
  const read = new Map<number, Drafts>()
  const listeners = new Set<() => void>()
  const changed = () => {
    for (const listener of listeners) listener()
  }
  const of = (accountId: number | undefined): Drafts => {
    if (accountId === undefined) return NONE
    const known = read.get(accountId) ?? parseDrafts(storage().getItem(PREFIX + accountId))
    read.set(accountId, known)
    return known
  }
  return {
    of,
    keep(accountId, chat, text) {
      const before = of(accountId)
      if ((before[chat] ?? '') === text) return
      const after = withDraft(before, chat, text)
      read.set(accountId, after)
      try {
        storage().setItem(PREFIX + accountId, JSON.stringify(after))
      } catch {
        // The storage is full or switched off: the draft lasts until the page is closed.
      }
      changed()
    },
    forget() {
      read.clear()
      for (const name of Object.keys(storage())) if (name.startsWith(PREFIX)) storage().removeItem(name)
      changed()
    },
    onChange(listener) {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
  }
}

/** The drafts that all pages share. */
export const keptDrafts = createKeptDrafts(() => localStorage)
