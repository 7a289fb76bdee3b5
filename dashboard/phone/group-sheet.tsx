// A group as one of its members sees it.
import { api } from '../api.ts'
import { useTexts } from '../language.tsx'
import { phoneTexts } from '../texts/phone.ts'
import { Badge } from '../ui/badge.tsx'
import { Button } from '../ui/button.tsx'
import { useAct, useNames, type WorldGroup } from '../world.ts'
import { Avatar } from './glyph.tsx'
import { Sheet } from './sheet.tsx'

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
      <ul className="people">
        {group.members.map((member) => (
          <li key={member.number}>
            <Avatar id={member.number} name={names(member.number)} />
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
