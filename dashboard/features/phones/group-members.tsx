// The members of a group, and what an admin can do with them.

import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { Avatar } from '../../chat/avatar.tsx'
import { api } from '../../gateway/api.ts'
import { Badge } from '../../ui/badge.tsx'
import { Button } from '../../ui/button.tsx'
import { Form, SelectField } from '../../ui/fields.tsx'
import { useTexts } from '../../ui/language.tsx'
import { Menu } from '../../ui/menu.tsx'
import { useToasts } from '../../ui/toast.tsx'
import phoneCss from './phone.module.css'
import { phonesQuery, useAct, useNames, type WorldGroup } from './sandbox-queries.ts'
import { phoneTexts } from './texts/phone-texts.ts'

export interface GroupPartProps {
  number: string
  group: WorldGroup
  isAdmin: boolean
}

type MemberChange = 'add' | 'remove' | 'promote' | 'demote'

/** Changes a membership as this phone, and shows the answer of the network about the person. */
function useMemberChange({ number, group }: GroupPartProps) {
  const t = useTexts(phoneTexts)
  const act = useAct()
  const toasts = useToasts()
  return (change: MemberChange, member: string) => {
    const body = { by: number, change, members: [member] }
    const work = async () => {
      const { outcomes } = await api.sandboxChangeMembers({ params: { jid: group.jid }, body })
      const [answer] = outcomes
      if (answer) toasts.done(t.group.outcomes[answer.outcome])
    }
    act(work())
  }
}

export function GroupMembers(props: GroupPartProps) {
  const { number, group, isAdmin } = props
  const t = useTexts(phoneTexts)
  const names = useNames()
  const mayAdd = isAdmin || group.memberAdd === 'all'
  return (
    <>
      <ul className={phoneCss.people}>
        {group.members.map((member) => (
          <li key={member.number}>
            <Avatar id={member.number} title={names(member.number)} />
            <span className={phoneCss.chatRowText}>
              <span className="cut">
                {names(member.number)}
                {member.number === number ? ` (${t.self})` : null}
              </span>
            </span>
            {member.role === 'member' ? null : <Badge>{t.admin}</Badge>}
            {isAdmin && member.number !== number ? <MemberMenu {...props} member={member} /> : null}
          </li>
        ))}
      </ul>
      {mayAdd ? <AddForm {...props} /> : null}
    </>
  )
}

function MemberMenu({ member, ...props }: GroupPartProps & { member: WorldGroup['members'][number] }) {
  const t = useTexts(phoneTexts)
  const names = useNames()
  const change = useMemberChange(props)
  const isMember = member.role === 'member'
  return (
    <Menu
      label={t.group.memberActions(names(member.number))}
      items={[
        {
          title: isMember ? t.group.promote : t.group.demote,
          onChoose: () => change(isMember ? 'promote' : 'demote', member.number),
        },
        { title: t.group.remove, danger: true, onChoose: () => change('remove', member.number) },
      ]}
    />
  )
}

/** A load test has thousands of phones, so the list is limited. */
const MOST_SHOWN = 200

function AddForm(props: GroupPartProps) {
  const { number, group } = props
  const t = useTexts(phoneTexts)
  const act = useAct()
  const toasts = useToasts()
  const names = useNames()
  const change = useMemberChange(props)
  const phones = useQuery(phonesQuery).data?.phones ?? []
  const [person, setPerson] = useState('')
  const members = new Set(group.members.map((member) => member.number))
  const others = phones.filter((phone) => !members.has(phone.number)).slice(0, MOST_SHOWN)
  const chosen = others.some((phone) => phone.number === person) ? person : ''
  const invite = () =>
    act(api.sandboxInvite({ params: { jid: group.jid }, body: { by: number, members: [chosen] } }), () =>
      toasts.done(t.group.invited(names(chosen))),
    )
  return (
    <Form onSubmit={() => change('add', chosen)}>
      <SelectField
        label={t.group.addMember}
        value={chosen}
        options={[
          ['', t.group.choose],
          ...others.map((phone) => [phone.number, `${phone.name} · +${phone.number}`] as const),
        ]}
        onChange={setPerson}
      />
      <div className="row">
        <Button small kind="primary" submit disabled={chosen === ''}>
          {t.group.add}
        </Button>
        {props.isAdmin ? (
          <Button small disabled={chosen === ''} onClick={invite}>
            {t.group.invite}
          </Button>
        ) : null}
      </div>
    </Form>
  )
}
