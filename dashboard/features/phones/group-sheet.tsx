// The details of a group, for one of its members.

import { Avatar } from '../../chat/avatar.tsx'
import { api } from '../../gateway/api.ts'
import { Badge } from '../../ui/badge.tsx'
import { Button } from '../../ui/button.tsx'
import { useTexts } from '../../ui/language.tsx'
import phoneCss from './phone.module.css'
import { useAct, useNames, type WorldGroup } from './sandbox-queries.ts'
import { Sheet } from './sheet.tsx'
import { phoneTexts } from './texts/phone-texts.ts'

interface Props {
  number: string
  group: WorldGroup
  onClose(): void
  onLeft(): void
}

export function GroupSheet({ number, group, onClose, onLeft }: Props) {
  const t = useTexts(phoneTexts)
  const act = useAct()
  const names = useNames()
  return (
    <Sheet title={group.subject} onClose={onClose}>
      {group.description ? <p>{group.description}</p> : null}
      <ul className={phoneCss.people}>
        {group.members.map((member) => (
          <li key={member.number}>
            <Avatar id={member.number} title={names(member.number)} />
            <span>
              {names(member.number)}
              {member.number === number ? ` (${t.self})` : null}
            </span>
            {member.role === 'member' ? null : <Badge>{t.admin}</Badge>}
          </li>
        ))}
      </ul>
      <Button
        kind="danger"
        onClick={() =>
          act(api.sandboxLeaveGroup({ params: { jid: group.jid }, body: { number } }), () => {
            onClose()
            onLeft()
          })
        }
      >
        {t.leave}
      </Button>
    </Sheet>
  )
}
