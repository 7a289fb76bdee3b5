// Starting something: a chat with a person, a new group, or one that others made.
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { api } from '../api.ts'
import { useTexts } from '../language.tsx'
import { phoneTexts } from '../texts/phone.ts'
import { Button } from '../ui/button.tsx'
import { Checks, Form, TextField } from '../ui/fields.tsx'
import { groupsQuery, phonesQuery, useAct, type WorldGroup, type WorldPhone } from '../world.ts'
import { Avatar } from './glyph.tsx'
import { ScreenHead } from './phone-view.tsx'

interface Props {
  phone: WorldPhone
  onOpen(chat: string): void
  onBack(): void
}

/** A world for load tests has thousands of people; a list of them all helps nobody. */
const MOST_SHOWN = 50

export function NewChatScreen({ phone, onOpen, onBack }: Props) {
  const t = useTexts(phoneTexts)
  const phones = useQuery(phonesQuery).data?.phones ?? []
  const groups = useQuery(groupsQuery).data?.groups ?? []
  const others = phones.filter(({ number }) => number !== phone.number).slice(0, MOST_SHOWN)
  const open = groups.filter(({ members }) => !members.some(({ number }) => number === phone.number))
  return (
    <>
      <ScreenHead title={t.newChat} onBack={onBack} />
      <div className="screen-body padded">
        <h4>{t.people}</h4>
        <ul className="people">
          {others.map(({ number, name }) => (
            <li key={number}>
              <button type="button" className="chat-row" onClick={() => onOpen(number)}>
                <Avatar id={number} name={name} />
                <span className="chat-row-text">
                  <strong>{name}</strong>
                  <span className="preview number">+{number}</span>
                </span>
              </button>
            </li>
          ))}
        </ul>
        <NewGroup phone={phone} others={others} onOpen={onOpen} />
        {open.length > 0 ? <h4>{t.groups}</h4> : null}
        <ul className="people">
          {open.slice(0, MOST_SHOWN).map((group) => (
            <JoinRow key={group.jid} number={phone.number} group={group} onOpen={onOpen} />
          ))}
        </ul>
      </div>
    </>
  )
}

function JoinRow({
  number,
  group,
  onOpen,
}: {
  number: string
  group: WorldGroup
  onOpen(chat: string): void
}) {
  const t = useTexts(phoneTexts)
  const act = useAct()
  // Somebody who may has to let the phone in: any admin does.
  const admin = group.members.find(({ role }) => role !== 'member')?.number
  return (
    <li>
      <Avatar id={group.jid} name={group.subject} isGroup />
      <span className="chat-row-text">
        <strong className="wrap">{group.subject}</strong>
        <span className="preview">{t.memberCount(group.members.length)}</span>
      </span>
      <Button
        small
        aria-label={t.joinNamed(group.subject)}
        onClick={() =>
          act(
            api.sandboxChangeMembers({
              params: { jid: group.jid },
              body: { change: 'add', members: [number], ...(admin === undefined ? {} : { by: admin }) },
            }),
            () => onOpen(group.jid),
          )
        }
      >
        {t.join}
      </Button>
    </li>
  )
}

function NewGroup({
  phone,
  others,
  onOpen,
}: {
  phone: WorldPhone
  others: readonly WorldPhone[]
  onOpen(chat: string): void
}) {
  const t = useTexts(phoneTexts)
  const act = useAct()
  const [subject, setSubject] = useState('')
  const [members, setMembers] = useState<string[]>([])
  if (others.length === 0) return null
  const make = async () => {
    const { group } = await api.sandboxCreateGroup({ body: { subject, members, admin: phone.number } })
    onOpen(group.jid)
  }
  return (
    <details className="fold">
      <summary>{t.newGroup}</summary>
      <Form onSubmit={() => act(make())}>
        <TextField label={t.subject} value={subject} maxLength={100} onChange={setSubject} />
        <Checks
          label={t.members}
          options={others.map(({ number, name }) => [number, name] as const)}
          chosen={members}
          onChange={setMembers}
        />
        <Button kind="primary" submit disabled={subject.trim() === '' || members.length === 0}>
          {t.makeGroup}
        </Button>
      </Form>
    </details>
  )
}
