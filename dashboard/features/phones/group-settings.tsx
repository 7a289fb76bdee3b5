// The settings of a group, its invite link, and the people who want to join.

import { Avatar } from '../../chat/avatar.tsx'
import { api } from '../../gateway/api.ts'
import { Button } from '../../ui/button.tsx'
import { CopyField } from '../../ui/copy-field.tsx'
import { useTexts } from '../../ui/language.tsx'
import { useToasts } from '../../ui/toast.tsx'
import type { GroupPartProps } from './group-members.tsx'
import phoneCss from './phone.module.css'
import { useAct, useNames } from './sandbox-queries.ts'
import { SwitchRow } from './switch-row.tsx'
import { phoneTexts } from './texts/phone-texts.ts'

const LINK = 'https://chat.whatsapp.com/'
const SWITCHES = ['announcement', 'locked', 'joinApproval'] as const

export function GroupSettings({ number, group, isAdmin }: GroupPartProps) {
  const t = useTexts(phoneTexts)
  const act = useAct()
  const change = (
    body: Partial<Record<(typeof SWITCHES)[number], boolean>> & { memberAdd?: 'all' | 'admins' },
  ) => act(api.sandboxChangeGroup({ params: { jid: group.jid }, body: { by: number, ...body } }))
  return (
    <>
      {SWITCHES.map((name) => (
        <SwitchRow
          key={name}
          {...t.group.settings[name]}
          on={group[name]}
          disabled={!isAdmin}
          onChange={(on) => change({ [name]: on })}
        />
      ))}
      <SwitchRow
        {...t.group.settings.memberAdd}
        on={group.memberAdd === 'all'}
        disabled={!isAdmin}
        onChange={(on) => change({ memberAdd: on ? 'all' : 'admins' })}
      />
      {isAdmin ? <Invitations number={number} group={group} isAdmin={isAdmin} /> : null}
    </>
  )
}

function Invitations({ number, group }: GroupPartProps) {
  const t = useTexts(phoneTexts)
  const act = useAct()
  const params = { jid: group.jid }
  return (
    <>
      <h4>{t.group.link}</h4>
      {group.inviteCode === null ? null : <CopyField label={t.group.link} value={LINK + group.inviteCode} />}
      <div>
        <Button small onClick={() => act(api.sandboxResetInvite({ params, body: { by: number } }))}>
          {t.group.resetLink}
        </Button>
      </div>
      <h4>{t.group.requests}</h4>
      {group.requests.length === 0 ? <p className="muted small">{t.group.noRequests}</p> : null}
      <ul className={phoneCss.people}>
        {group.requests.map((request) => (
          <RequestRow key={request.number} by={number} jid={group.jid} person={request.number} />
        ))}
      </ul>
    </>
  )
}

function RequestRow({ by, jid, person }: { by: string; jid: string; person: string }) {
  const t = useTexts(phoneTexts)
  const act = useAct()
  const toasts = useToasts()
  const names = useNames()
  const name = names(person)
  const answer = async (action: 'approve' | 'reject') => {
    const body = { by, action, members: [person] }
    const { outcomes } = await api.sandboxAnswerRequests({ params: { jid }, body })
    const [first] = outcomes
    if (first) toasts.done(t.group.outcomes[first.outcome])
  }
  return (
    <li>
      <Avatar id={person} title={name} />
      <span className={phoneCss.chatRowText}>
        <span className="cut">{name}</span>
      </span>
      <Button
        small
        kind="primary"
        aria-label={t.group.approveNamed(name)}
        onClick={() => act(answer('approve'))}
      >
        {t.group.approve}
      </Button>
      <Button small aria-label={t.group.rejectNamed(name)} onClick={() => act(answer('reject'))}>
        {t.group.reject}
      </Button>
    </li>
  )
}
