// Filters of the list of chats: by label and by the user who answers. A filter without a choice is not shown.

import { SelectField } from '../../../ui/fields.tsx'
import { useTexts } from '../../../ui/language.tsx'
import type { ListFilter } from '../model/conversation-queries.ts'
import { useLabels, useUsers } from '../model/people-queries.ts'
import { peopleTexts } from '../texts/people-texts.ts'
import css from './chat-filters.module.css'

/** An empty text does not restrict the list. */
export interface ChosenFilter {
  /** By name, because each instance has its own ids. */
  label: string
  /** The id of a user, or `none`. */
  user: string
}
export const NO_FILTER: ChosenFilter = { label: '', user: '' }

interface FilterProps {
  instanceNames: readonly string[]
  chosen: ChosenFilter
  onChange(chosen: ChosenFilter): void
}

export function ChatFilters({ instanceNames, chosen, onChange }: FilterProps) {
  const t = useTexts(peopleTexts)
  const users = useUsers()
  const names = new Set(useLabels(instanceNames).flatMap(({ labels }) => labels.map(({ name }) => name)))
  if (names.size === 0 && users.length === 0) return null
  return (
    <div className={css.filters}>
      {names.size === 0 ? null : (
        <SelectField
          bare
          label={t.filterLabel}
          value={chosen.label}
          options={[['', t.allLabels] as const, ...[...names].sort().map((name) => [name, name] as const)]}
          onChange={(label) => onChange({ ...chosen, label })}
        />
      )}
      {users.length === 0 ? null : (
        <SelectField
          bare
          label={t.filterUser}
          value={chosen.user}
          options={[
            ['', t.everyone] as const,
            ['none', t.noOne] as const,
            ...users.map(({ id, name }) => [String(id), name] as const),
          ]}
          onChange={(user) => onChange({ ...chosen, user })}
        />
      )}
    </div>
  )
}

/** The filter of each instance; undefined: it has no such label, and so no such chat. */
export function useFilterOf(
  instanceNames: readonly string[],
  { label, user }: ChosenFilter,
): (instanceName: string) => ListFilter | undefined {
  const read = useLabels(label === '' ? [] : instanceNames)
  const assigned = user === '' ? {} : { assignedTo: user }
  return (instanceName) => {
    if (label === '') return assigned
    const labels = read.find((one) => one.instanceName === instanceName)?.labels ?? []
    const id = labels.find(({ name }) => name === label)?.id
    return id === undefined ? undefined : { ...assigned, label: id }
  }
}
