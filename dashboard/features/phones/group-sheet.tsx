// A group as a member's phone shows it: members, name and description, settings, and the chat itself.

import { api } from '../../gateway/api.ts'
import { Button } from '../../ui/button.tsx'
import { useTexts } from '../../ui/language.tsx'
import { Tabs } from '../../ui/tabs.tsx'
import { ChatOptions } from './chat-options.tsx'
import { GroupInfo } from './group-info.tsx'
import { GroupMembers } from './group-members.tsx'
import { GroupSettings } from './group-settings.tsx'
import { useAct, type WorldChat, type WorldGroup } from './sandbox-queries.ts'
import { Sheet } from './sheet.tsx'
import { phoneTexts } from './texts/phone-texts.ts'

interface Props {
  number: string
  group: WorldGroup
  row: WorldChat | undefined
  onClose(): void
  onLeft(): void
}

export function GroupSheet({ number, group, row, onClose, onLeft }: Props) {
  const t = useTexts(phoneTexts)
  const act = useAct()
  const role = group.members.find((member) => member.number === number)?.role ?? 'member'
  const isAdmin = role !== 'member'
  const mayEdit = isAdmin || !group.locked
  const leave = () => {
    onClose()
    onLeft()
  }
  const part = { number, group, isAdmin }
  const options = { number, chat: group.jid, row, maySetTimer: mayEdit, onClose, onLeft }
  return (
    <Sheet title={group.subject} onClose={onClose}>
      <Tabs
        label={group.subject}
        tabs={[
          { id: 'members', title: t.group.tabs.members, content: () => <GroupMembers {...part} /> },
          {
            id: 'info',
            title: t.group.tabs.info,
            content: () => <GroupInfo key={group.jid} number={number} group={group} mayEdit={mayEdit} />,
          },
          { id: 'settings', title: t.group.tabs.settings, content: () => <GroupSettings {...part} /> },
          { id: 'chat', title: t.group.tabs.chat, content: () => <ChatOptions {...options} /> },
        ]}
      />
      <Button
        kind="danger"
        onClick={() => act(api.sandboxLeaveGroup({ params: { jid: group.jid }, body: { number } }), leave)}
      >
        {t.leave}
      </Button>
    </Sheet>
  )
}
