// The reader's choices, language and appearance; on every page and on the sign-in page.
import { LANGUAGES, type Language, useLanguage, useTexts } from './language.tsx'
import { shellTexts } from './texts/shell.ts'
import { THEMES, useTheme } from './theme.ts'
import { SelectField } from './ui/fields.tsx'

export function Choices() {
  const t = useTexts(shellTexts)
  const { language, choose } = useLanguage()
  const [theme, setTheme] = useTheme()
  return (
    <>
      <SelectField
        bare
        label={t.language}
        value={language}
        options={Object.entries(LANGUAGES) as [Language, string][]}
        onChange={choose}
      />
      <SelectField
        bare
        label={t.theme}
        value={theme}
        options={THEMES.map((name) => [name, t.themes[name]] as const)}
        onChange={setTheme}
      />
    </>
  )
}
