// The phones of the sandbox network, side by side.

import { useMutation, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { api } from '../../gateway/api.ts'
import { Button } from '../../ui/button.tsx'
import { EmptyState } from '../../ui/empty-state.tsx'
import { SelectField, TextField } from '../../ui/fields.tsx'
import { FormDialog } from '../../ui/form-dialog.tsx'
import { useTexts } from '../../ui/language.tsx'
import { Loaded, PageHead } from '../../ui/page-head.tsx'
import { useFieldFault } from '../../ui/refusals/error-text.ts'
import glyphCss from './glyph.module.css'
import { Glyph } from './glyph.tsx'
import phoneCss from './phone.module.css'
import { PhoneView } from './phone-view.tsx'
import { phonesQuery, useWorldChanges, type WorldPhone } from './sandbox-queries.ts'
import { phoneTexts } from './texts/phone-texts.ts'

const KEPT_AS = 'switchboard.phones'
/** The number of phones shown before the reader chose any. */
const FIRST_SHOWN = 3

export function PhonePage() {
  const t = useTexts(phoneTexts)
  useWorldChanges()
  const query = useQuery(phonesQuery)
  const [adding, setAdding] = useState(false)
  const isEmpty = query.data?.phones.length === 0
  const [chosen, choose] = useChosen()
  const add = (
    <Button kind="primary" onClick={() => setAdding(true)}>
      {t.add}
    </Button>
  )
  return (
    <>
      <PageHead title={t.title} lead={t.lead} actions={isEmpty ? undefined : add} />
      <Loaded query={query}>
        {({ phones }) =>
          phones.length === 0 ? (
            <EmptyState icon="phone" title={t.none} action={add}>
              {t.noneText}
            </EmptyState>
          ) : (
            <Table phones={phones} chosen={chosen} onChoose={choose} />
          )
        }
      </Loaded>
      {adding ? (
        <AddDialog
          onClose={() => setAdding(false)}
          onAdded={(number) =>
            choose([...shownOf(query.data?.phones ?? [], chosen).map((phone) => phone.number), number])
          }
        />
      ) : null}
    </>
  )
}

/** The shown phones, stored in this browser; undefined before the first choice. */
function useChosen(): [string[] | undefined, (numbers: string[]) => void] {
  const [chosen, setChosen] = useState<string[] | undefined>(() => {
    const kept = localStorage.getItem(KEPT_AS)
    return kept === null ? undefined : kept.split(' ').filter((number) => number !== '')
  })
  return [
    chosen,
    (numbers) => {
      const once = [...new Set(numbers)]
      localStorage.setItem(KEPT_AS, once.join(' '))
      setChosen(once)
    },
  ]
}

/** Ignores stored phones that no longer exist. */
function shownOf(phones: readonly WorldPhone[], chosen: readonly string[] | undefined): WorldPhone[] {
  if (chosen === undefined) return phones.slice(0, FIRST_SHOWN)
  return chosen.flatMap((number) => phones.find((phone) => phone.number === number) ?? [])
}

interface TableProps {
  phones: readonly WorldPhone[]
  chosen: string[] | undefined
  onChoose(numbers: string[]): void
}

function Table({ phones, chosen, onChoose }: TableProps) {
  const t = useTexts(phoneTexts)
  const shown = shownOf(phones, chosen)
  const numbers = shown.map(({ number }) => number)
  const others = phones.filter(({ number }) => !numbers.includes(number))
  return (
    <>
      {others.length === 0 ? null : (
        <div className={phoneCss.phoneChooser}>
          <SelectField
            label={t.show}
            value=""
            options={[
              ['', t.showNone],
              ...others.map(({ number, name }) => [number, `${name} · +${number}`] as const),
            ]}
            onChange={(number) => onChoose([...numbers, number])}
          />
        </div>
      )}
      {shown.length === 0 ? (
        <EmptyState
          icon="phone"
          title={t.allHidden}
          action={
            <Button
              kind="primary"
              onClick={() => onChoose(phones.slice(0, FIRST_SHOWN).map(({ number }) => number))}
            >
              {t.showPhones}
            </Button>
          }
        >
          {t.allHiddenText}
        </EmptyState>
      ) : (
        <div className={phoneCss.phones}>
          {shown.map((phone) => (
            <PhoneView
              key={phone.number}
              phone={phone}
              corner={
                <button
                  type="button"
                  className={glyphCss.glyphButton}
                  aria-label={t.hide(phone.name)}
                  onClick={() => onChoose(numbers.filter((number) => number !== phone.number))}
                >
                  <Glyph name="close" />
                </button>
              }
            />
          ))}
        </div>
      )}
    </>
  )
}

function AddDialog({ onClose, onAdded }: { onClose(): void; onAdded(number: string): void }) {
  const t = useTexts(phoneTexts)
  const fieldFault = useFieldFault()
  const [number, setNumber] = useState('')
  const [name, setName] = useState('')
  const add = useMutation({
    mutationFn: () => api.sandboxCreatePhone({ body: { number, ...(name.trim() === '' ? {} : { name }) } }),
    onSuccess({ phone }) {
      onAdded(phone.number)
      onClose()
    },
  })
  return (
    <FormDialog
      title={t.addTitle}
      action={t.addSubmit}
      isPending={add.isPending}
      onSubmit={() => add.mutate()}
      onClose={onClose}
    >
      <TextField
        label={t.number}
        hint={t.numberHint}
        fault={fieldFault(add.error, 'number')}
        inputMode="tel"
        value={number}
        onChange={setNumber}
      />
      <TextField label={t.name} maxLength={100} value={name} onChange={setName} />
    </FormDialog>
  )
}
