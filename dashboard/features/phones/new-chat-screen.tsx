// Starts a chat with a person, creates a group, or joins one.

import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { Avatar } from '../../chat/avatar.tsx'
import { api } from '../../gateway/api.ts'
import { Button } from '../../ui/button.tsx'
import { classNames } from '../../ui/class-names.ts'
import { Checks, Form, TextField } from '../../ui/fields.tsx'
import { useTexts } from '../../ui/language.tsx'
import { useToasts } from '../../ui/toast.tsx'
import phoneCss from './phone.module.css'
import { groupsQuery, phonesQuery, useAct, type WorldGroup, type WorldPhone } from './sandbox-queries.ts'
import { ScreenHead } from './screen-head.tsx'
import { phoneTexts } from './texts/phone-texts.ts'

interface Props {
  phone: WorldPhone
  onOpen(chat: string): void
  onBack(): void
}

/** A load test has thousands of phones, so the list is limited. */
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
      <div className={classNames(phoneCss.screenBody, phoneCss.padded)}>
        <h4>{t.people}</h4>
        <ul className={phoneCss.people}>
          {others.map(({ number, name }) => (
            <li key={number}>
              <button type="button" className={phoneCss.chatRow} onClick={() => onOpen(number)}>
                <Avatar id={number} title={name} />
                <span className={phoneCss.chatRowText}>
                  <strong>{name}</strong>
                  <span className={classNames(phoneCss.preview, 'number')}>+{number}</span>
                </span>
              </button>
            </li>
          ))}
        </ul>
        <NewGroup phone={phone} others={others} onOpen={onOpen} />
        {open.length > 0 ? <h4>{t.groups}</h4> : null}
        <JoinByLink number={phone.number} onOpen={onOpen} />
        <ul className={phoneCss.people}>
          {open.slice(0, MOST_SHOWN).map((group) => (
            <JoinRow key={group.jid} number={phone.number} group={group} onOpen={onOpen} />
          ))}
        </ul>
      </div>
    </>
  )
}

function JoinByLink({ number, onOpen }: { number: string; onOpen(chat: string): void }) {
  const t = useTexts(phoneTexts)
  const act = useAct()
  const toasts = useToasts()
  const [link, setLink] = useState('')
  const code = link.trim().replace(/^.*\//, '')
  const join = async () => {
    const { jid, outcome } = await api.sandboxJoinGroup({ params: { number }, body: { code } })
    if (outcome === 'joined') onOpen(jid)
    else toasts.done(t.group.outcomes.requested)
  }
  return (
    <details className={phoneCss.fold}>
      <summary>{t.group.joinByLink}</summary>
      <Form onSubmit={() => act(join())}>
        <TextField label={t.group.linkOrCode} value={link} maxLength={200} onChange={setLink} />
        <Button kind="primary" submit disabled={code === ''}>
          {t.join}
        </Button>
      </Form>
    </details>
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
  // Only an admin can add the phone, so any admin of the group is used.
  const admin = group.members.find(({ role }) => role !== 'member')?.number
  return (
    <li>
      <Avatar id={group.jid} title={group.subject} />
      <span className={phoneCss.chatRowText}>
        <strong className="wrap">{group.subject}</strong>
        <span className={phoneCss.preview}>{t.memberCount(group.members.length)}</span>
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
    <details className={phoneCss.fold}>
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
