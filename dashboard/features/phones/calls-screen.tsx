// The calls of a phone, and a new one. No sound is transmitted.

import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { Avatar } from '../../chat/avatar.tsx'
import { useTimes } from '../../chat/times.ts'
import { api } from '../../gateway/api.ts'
import { Button } from '../../ui/button.tsx'
import { classNames } from '../../ui/class-names.ts'
import { SelectField } from '../../ui/fields.tsx'
import { useTexts } from '../../ui/language.tsx'
import { Loaded } from '../../ui/page-head.tsx'
import { Glyph } from './glyph.tsx'
import phoneCss from './phone.module.css'
import { callsQuery, phonesQuery, useAct, useNames, type WorldCall } from './sandbox-queries.ts'
import { ScreenHead } from './screen-head.tsx'
import { phoneTexts } from './texts/phone-texts.ts'

export function CallsScreen({ number }: { number: string }) {
  const t = useTexts(phoneTexts)
  const query = useQuery(callsQuery(number))
  return (
    <>
      <ScreenHead title={t.tabs.calls} />
      <div className={classNames(phoneCss.screenBody, phoneCss.padded)}>
        <NewCall number={number} />
        <Loaded query={query}>
          {({ calls }) => (
            <ul className={phoneCss.people}>
              {calls.length === 0 ? <li className="muted">{t.call.none}</li> : null}
              {calls
                .toSorted((one, other) => other.timestamp - one.timestamp)
                .map((call) => (
                  <CallRow key={call.id} number={number} call={call} />
                ))}
            </ul>
          )}
        </Loaded>
      </div>
    </>
  )
}

function CallRow({ number, call }: { number: string; call: WorldCall }) {
  const t = useTexts(phoneTexts)
  const names = useNames()
  const times = useTimes()
  const isPlaced = call.from === number
  const other = isPlaced ? call.to : call.from
  return (
    <li>
      <Avatar id={other} title={names(other)} />
      <span className={phoneCss.chatRowText}>
        <strong>{names(other)}</strong>
        <span className={phoneCss.preview}>
          {isPlaced ? t.call.placed : t.call.received}, {t.call.statuses[call.status]}
        </span>
      </span>
      <Glyph name={call.video ? 'video' : 'call'} label={call.video ? t.call.video : t.call.voice} />
      <time className="muted small">{times.short(call.timestamp * 1000)}</time>
    </li>
  )
}

/** A load test has thousands of phones, so the list is limited. */
const MOST_SHOWN = 200

function NewCall({ number }: { number: string }) {
  const t = useTexts(phoneTexts)
  const act = useAct()
  const phones = useQuery(phonesQuery).data?.phones ?? []
  const others = phones.filter((phone) => phone.number !== number).slice(0, MOST_SHOWN)
  const [chosen, choose] = useState<string>()
  const to = chosen ?? others[0]?.number
  if (to === undefined) return null
  const startCall = (video: boolean) => act(api.sandboxPlaceCall({ params: { number }, body: { to, video } }))
  return (
    <>
      <SelectField
        label={t.call.new}
        value={to}
        options={others.map((phone) => [phone.number, `${phone.name} · +${phone.number}`] as const)}
        onChange={choose}
      />
      <div className="row">
        <Button small kind="primary" onClick={() => startCall(false)}>
          <Glyph name="call" /> {t.call.voice}
        </Button>
        <Button small onClick={() => startCall(true)}>
          <Glyph name="video" /> {t.call.video}
        </Button>
      </div>
    </>
  )
}
