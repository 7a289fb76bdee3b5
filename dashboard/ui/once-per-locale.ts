// What is made of a locale, once: a page has thousands of components that format times, and few locales.

/** `make` is called once for each locale. */
export function oncePerLocale<T>(make: (locale: string) => T): (locale: string) => T {
  const made = new Map<string, T>()
  return (locale) => {
    const known = made.get(locale) ?? make(locale)
    made.set(locale, known)
    return known
  }
}
