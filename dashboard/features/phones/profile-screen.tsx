// The person of a phone: name, about text, picture, presence, privacy and blocked people.

import { useState } from 'react'
import type { PRIVACY_VALUES, PrivacyCategory } from '../../../src/contract/sandbox-world.ts'
import { api } from '../../gateway/api.ts'
import { Button } from '../../ui/button.tsx'
import { classNames } from '../../ui/class-names.ts'
import { Form, SelectField, TextField } from '../../ui/fields.tsx'
import { useTexts } from '../../ui/language.tsx'
import { useToasts } from '../../ui/toast.tsx'
import phoneCss from './phone.module.css'
import { PictureField } from './picture-field.tsx'
import { pictureOf, useAct, useNames, type WorldPhone } from './sandbox-queries.ts'
import { ScreenHead } from './screen-head.tsx'
import { SwitchRow } from './switch-row.tsx'
import { phoneTexts } from './texts/phone-texts.ts'
import { useTimers } from './timers.ts'

interface Props {
  phone: WorldPhone
}

export function ProfileScreen({ phone, onBack }: Props & { onBack(): void }) {
  const t = useTexts(phoneTexts)
  const act = useAct()
  const { number } = phone
  const params = { number }
  return (
    <>
      <ScreenHead title={t.profile.title} onBack={onBack} />
      <div className={classNames(phoneCss.screenBody, phoneCss.padded)}>
        <PictureField
          id={number}
          title={phone.name}
          picture={pictureOf(number, phone.pictureId)}
          onChange={(base64) => act(api.sandboxSetPicture({ params, body: { base64 } }))}
        />
        <NameForm phone={phone} />
        <SwitchRow
          title={t.profile.presence}
          text={t.profile.presenceText}
          on={phone.available}
          onChange={(available) => act(api.sandboxSetPresence({ params, body: { available } }))}
        />
        <Privacy phone={phone} />
        <Blocked phone={phone} />
      </div>
    </>
  )
}

function NameForm({ phone }: Props) {
  const t = useTexts(phoneTexts)
  const act = useAct()
  const toasts = useToasts()
  const { number } = phone
  const [name, setName] = useState(phone.name)
  const [about, setAbout] = useState(phone.about)
  const isUnchanged = name.trim() === phone.name && about === phone.about
  const save = async () => {
    if (name.trim() !== phone.name) await api.sandboxCreatePhone({ body: { number, name: name.trim() } })
    if (about !== phone.about) await api.sandboxChangePhone({ params: { number }, body: { about } })
  }
  return (
    <Form onSubmit={() => act(save(), () => toasts.done(t.profile.saved))}>
      <TextField label={t.name} value={name} maxLength={100} onChange={setName} />
      <TextField label={t.profile.about} value={about} maxLength={139} onChange={setAbout} />
      <div>
        <Button small kind="primary" submit disabled={name.trim() === '' || isUnchanged}>
          {t.profile.save}
        </Button>
      </div>
    </Form>
  )
}

const PEOPLE = ['all', 'contacts', 'contact_blacklist', 'none'] as const
/** Only types come from the contract, so the values are here again; the compiler compares them. */
const PRIVACY: { [C in PrivacyCategory]: (typeof PRIVACY_VALUES)[C] } = {
  last: PEOPLE,
  online: ['match_last_seen', 'all'],
  profile: PEOPLE,
  status: PEOPLE,
  readreceipts: ['all', 'none'],
  groupadd: ['all', 'contacts', 'contact_blacklist'],
  calladd: ['all', 'known'],
  messages: ['all', 'contacts'],
}

function Privacy({ phone }: Props) {
  const t = useTexts(phoneTexts)
  const act = useAct()
  const timers = useTimers()
  const params = { number: phone.number }
  return (
    <>
      <h4>{t.profile.privacy}</h4>
      {(Object.keys(PRIVACY) as PrivacyCategory[]).map((category) => (
        <SelectField
          key={category}
          label={t.profile.categories[category]}
          value={phone.privacy[category] ?? PRIVACY[category][0]}
          options={PRIVACY[category].map((value) => [value as string, t.profile.values[value]] as const)}
          onChange={(value) =>
            act(api.sandboxChangePhone({ params, body: { privacy: { [category]: value } } }))
          }
        />
      ))}
      <SelectField
        label={t.profile.newChats}
        value={String(phone.disappearingSeconds)}
        options={timers.options}
        onChange={(value) =>
          act(api.sandboxChangePhone({ params, body: { disappearingSeconds: Number(value) } }))
        }
      />
    </>
  )
}

function Blocked({ phone }: Props) {
  const t = useTexts(phoneTexts)
  const act = useAct()
  const names = useNames()
  const params = { number: phone.number }
  return (
    <>
      <h4>{t.profile.blocked}</h4>
      {phone.blocked.length === 0 ? <p className={phoneCss.screenNote}>{t.profile.noBlocked}</p> : null}
      <ul className={phoneCss.people}>
        {phone.blocked.map((number) => (
          <li key={number}>
            <span className={phoneCss.chatRowText}>
              <span className="cut">{names(number)}</span>
            </span>
            <Button
              small
              aria-label={t.profile.unblockNamed(names(number))}
              onClick={() => act(api.sandboxBlock({ params, body: { number, blocked: false } }))}
            >
              {t.profile.unblock}
            </Button>
          </li>
        ))}
      </ul>
    </>
  )
}
