// The language: the reader's choice, otherwise the browser's. Each part of the dashboard has a dictionary.
import { createContext, type ReactNode, use, useContext, useEffect, useMemo, useState } from 'react'
import { type Dictionary, LANGUAGES, type Language, loadTexts, type SameTexts } from './dictionary.ts'
import { oncePerLocale } from './once-per-locale.ts'

export type { SameTexts } from './dictionary.ts'

const KEPT_AS = 'switchboard.language'

interface Chosen {
  language: Language
  /** Switches once the texts are loaded. Rejects, and keeps the language, if they cannot be loaded. */
  choose(language: Language): Promise<void>
}
const LanguageContext = createContext<Chosen>({ language: 'en', choose: async () => undefined })

const isLanguage = (text: string | null | undefined): text is Language => text != null && text in LANGUAGES

export function preferredLanguage(): Language {
  const kept = localStorage.getItem(KEPT_AS)
  if (isLanguage(kept)) return kept
  return navigator.languages.map((name) => name.slice(0, 2)).find(isLanguage) ?? 'en'
}

export function LanguageProvider({ children }: { children: ReactNode }) {
  const [language, setLanguage] = useState(preferredLanguage)
  useEffect(() => {
    document.documentElement.lang = language
  }, [language])
  const chosen = useMemo<Chosen>(
    () => ({
      language,
      async choose(next) {
        await loadTexts(next)
        localStorage.setItem(KEPT_AS, next)
        setLanguage(next)
      },
    }),
    [language],
  )
  return <LanguageContext value={chosen}>{children}</LanguageContext>
}

export const useLanguage = (): Chosen => useContext(LanguageContext)

/**
 * The texts of a part in the reader's language. Suspends if the part was loaded without `loadTexts`. It always calls `use`: React
 * renders a component again after it suspended, and expects the same calls.
 */
export function useTexts<T>(texts: Dictionary<T>): SameTexts<T> {
  const { language } = useLanguage()
  return use(texts.latestLoad(language))
}

/** The browser's regional variant of the chosen language, which decides between 15/11 and 11/15, 16:00 and 4 PM. */
export function useLocale(): string {
  const { language } = useLanguage()
  return navigator.languages.find((name) => name.startsWith(language)) ?? language
}

/** Dates and numbers in the reader's locale. */
export const useFormat = () => formatOf(useLocale())

/** Made once for each locale: every message of a conversation uses it, and its parts take the browser long to make. */
const formatOf = oncePerLocale((locale) => {
  const dateTime = new Intl.DateTimeFormat(locale, { dateStyle: 'medium', timeStyle: 'short' })
  const date = new Intl.DateTimeFormat(locale, { dateStyle: 'medium' })
  const moment = new Intl.DateTimeFormat(locale, { dateStyle: 'medium', timeStyle: 'medium' })
  const clock = new Intl.DateTimeFormat(locale, { timeStyle: 'medium' })
  const hour = new Intl.DateTimeFormat(locale, { timeStyle: 'short' })
  const number = new Intl.NumberFormat(locale)
  const decimal = new Intl.NumberFormat(locale, { maximumFractionDigits: 1 })
  return {
    dateTime: (iso: string | null) => (iso === null ? '–' : dateTime.format(new Date(iso))),
    date: (iso: string | null) => (iso === null ? '–' : date.format(new Date(iso))),
    /** To the second. */
    moment: (iso: string | null) => (iso === null ? '–' : moment.format(new Date(iso))),
    /** The time alone. */
    clock: (iso: string) => clock.format(new Date(iso)),
    /** The time with seconds; with the date if it is not today. */
    brief(iso: string) {
      const then = new Date(iso)
      return (then.toDateString() === new Date().toDateString() ? clock : moment).format(then)
    },
    /** The time without its seconds. */
    hour: (iso: string) => hour.format(new Date(iso)),
    milliseconds: (value: number) => `${number.format(value)} ms`,
    number: (value: number) => number.format(value),
    /** At most one decimal digit. */
    decimal: (value: number) => decimal.format(value),
    /** `amount` is a decimal number as text. A stranger may have named the currency, so an unknown one is shown as it is. */
    price: (amount: string, currency: string | null) =>
      currency === null || !/^[A-Z]{3}$/.test(currency)
        ? amount
        : new Intl.NumberFormat(locale, { style: 'currency', currency }).format(Number(amount)),
    /** `amount` is in the smallest unit of the currency. */
    money(amount: number, currency: string) {
      const format = new Intl.NumberFormat(locale, { style: 'currency', currency })
      const digits = format.resolvedOptions().maximumFractionDigits ?? 2
      return format.format(amount / 10 ** digits)
    },
  }
})
