// The texts of the dashboard's parts. A browser loads them in the reader's language only.

export const LANGUAGES = { en: 'English', pt: 'Português', es: 'Español' } as const
export type Language = keyof typeof LANGUAGES

/** The same texts in another language. A missing text or a different parameter is a type error. */
export type SameTexts<T> = {
  [K in keyof T]: T[K] extends string
    ? string
    : T[K] extends (...blanks: infer A) => string
      ? (...blanks: A) => string
      : SameTexts<T[K]>
}

/** The texts of one part. */
export interface Dictionary<T> {
  /**
   * The latest load, even if it failed: a component that waits for it fails too, and does not load again and again. React reads a
   * finished one without waiting.
   */
  latestLoad(language: Language): Promise<SameTexts<T>>
  /** Loads the texts once. Tries again after a failure. */
  load(language: Language): Promise<SameTexts<T>>
}

/** How a part imports its texts: one module per language, so that each language is a script of its own. */
type Imports<T> = { [L in Language]: () => Promise<SameTexts<T>> }

const dictionaries: Pick<Dictionary<unknown>, 'load'>[] = []

/** Declares the texts of a part. `loadTexts` loads them with those of the other parts. */
export function dictionary<T>(imports: Imports<T>): Dictionary<T> {
  const loads: { [L in Language]?: Promise<SameTexts<T>> } = {}
  const failed = new Set<Language>()
  const importTexts = (language: Language): Promise<SameTexts<T>> => {
    const texts = imports[language]()
    texts.then(
      // The fields that React looks for in a promise.
      (value) => Object.assign(texts, { status: 'fulfilled', value }),
      () => failed.add(language),
    )
    return texts
  }
  const declared: Dictionary<T> = {
    latestLoad: (language) => (loads[language] ??= importTexts(language)),
    load(language) {
      if (failed.delete(language)) delete loads[language]
      return declared.latestLoad(language)
    },
  }
  dictionaries.push(declared)
  return declared
}

/** Loads the texts of every part that was imported so far. */
export async function loadTexts(language: Language): Promise<void> {
  await Promise.all(dictionaries.map(({ load }) => load(language)))
}
