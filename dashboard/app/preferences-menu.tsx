// The menu for language, appearance and notifications, on every page and on the sign-in page.
import { useId, useState } from 'react'
import { ApiError } from '../gateway/api.ts'
import { LANGUAGES, type Language } from '../ui/dictionary.ts'
import { Icon } from '../ui/icons.tsx'
import { useLanguage, useTexts } from '../ui/language.tsx'
import { Popover } from '../ui/popover.tsx'
import { THEMES, useTheme } from '../ui/theme.ts'
import { useToasts } from '../ui/toast.tsx'
import { canNotify, useNoticeChoice } from './notice-choice.ts'
import { NOTICES, type NoticeChoice } from './notices.ts'
import css from './preferences-menu.module.css'
import { shellTexts } from './texts/shell-texts.ts'

export function PreferencesMenu() {
  const t = useTexts(shellTexts)
  const { language, choose } = useLanguage()
  const [theme, setTheme] = useTheme()
  const { failed } = useToasts()
  // The choice is shown at once, and the texts follow when they are loaded.
  const [requested, setRequested] = useState<Language>()
  const ask = async (next: Language) => {
    setRequested(next)
    try {
      await choose(next)
    } catch {
      failed(new ApiError(0, 'unreachable', 'The texts could not be loaded.'))
    }
    setRequested(undefined)
  }
  const trigger = (
    <>
      <Icon name="preferences" />
      {LANGUAGES[language]}
    </>
  )
  return (
    <Popover label={`${t.preferences}: ${LANGUAGES[language]}`} trigger={trigger} className={css.trigger}>
      {() => (
        <>
          <Choice
            label={t.language}
            value={requested ?? language}
            options={Object.entries(LANGUAGES) as [Language, string][]}
            onChange={(next) => void ask(next)}
          />
          <Choice
            label={t.theme}
            value={theme}
            options={THEMES.map((name) => [name, t.themes[name]] as const)}
            onChange={setTheme}
          />
          {canNotify() ? <NoticeSetting /> : null}
        </>
      )}
    </Popover>
  )
}

function NoticeSetting() {
  const t = useTexts(shellTexts)
  const { done } = useToasts()
  const [choice, choose] = useNoticeChoice()
  const ask = async (next: NoticeChoice) => {
    if (!(await choose(next))) done(t.notices.refused)
  }
  return (
    <Choice
      label={t.notices.title}
      value={choice}
      options={NOTICES.map((name) => [name, t.notices.choices[name]] as const)}
      onChange={(next) => void ask(next)}
    />
  )
}

interface ChoiceProps<V extends string> {
  label: string
  value: V
  options: readonly (readonly [value: V, title: string])[]
  onChange(value: V): void
}

function Choice<V extends string>({ label, value, options, onChange }: ChoiceProps<V>) {
  const name = useId()
  return (
    <fieldset className={css.group}>
      <legend>{label}</legend>
      {options.map(([option, title]) => (
        <label key={option} className={css.choice}>
          <input type="radio" name={name} checked={option === value} onChange={() => onChange(option)} />
          {title}
        </label>
      ))}
    </fieldset>
  )
}
