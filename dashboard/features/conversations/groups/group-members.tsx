// The members of a group: add and remove them, and make them admins. Each change shows the outcome per number.

import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import type { MemberAction } from '../../../../src/contract/values.ts'
import { Avatar } from '../../../chat/avatar.tsx'
import { api } from '../../../gateway/api.ts'
import { useCan } from '../../../gateway/sign-in.ts'
import { AreaField } from '../../../ui/area-field.tsx'
import { Badge } from '../../../ui/badge.tsx'
import { Button } from '../../../ui/button.tsx'
import { Card } from '../../../ui/card.tsx'
import { ConfirmDialog } from '../../../ui/confirm-dialog.tsx'
import { TextField } from '../../../ui/fields.tsx'
import { FormDialog } from '../../../ui/form-dialog.tsx'
import { useTexts } from '../../../ui/language.tsx'
import { Menu, type MenuItem } from '../../../ui/menu.tsx'
import { useErrorText } from '../../../ui/refusals/error-text.ts'
import { type Paging, Table } from '../../../ui/table.tsx'
import { uiTexts } from '../../../ui/texts/ui-texts.ts'
import { useToasts } from '../../../ui/toast.tsx'
import { useChatTitle } from '../model/chat-title.ts'
import { useChats } from '../model/conversation-queries.ts'
import { type GroupReference, inputOf, keepGroup, type ListedGroup } from './group-queries.ts'
import { numbersIn } from './numbers-in.ts'
import { type Outcome, Outcomes } from './outcomes.tsx'
import { groupTexts } from './texts/group-texts.ts'

type Participant = NonNullable<ListedGroup['participants']>[number]
interface Change {
  action: MemberAction
  people: string[]
}

interface MembersProps {
  group: ListedGroup
  reference: GroupReference
  /** The number of the instance. */
  own: string | null
}

export function GroupMembers({ group, reference, own }: MembersProps) {
  const t = useTexts(groupTexts)
  const toasts = useToasts()
  const [isAdding, setAdding] = useState(false)
  const [removing, setRemoving] = useState<Participant>()
  const [outcomes, setOutcomes] = useState<readonly Outcome[]>([])
  const change = useMemberChange(reference, setOutcomes)
  const nameOf = useMemberNames(reference)
  const mayChange = useCan()('changeGroupMembers')
  const mayAdd = mayChange && (group.isAdmin || group.memberAdd === 'all')
  const itemsFor = (member: Participant): MenuItem[] => {
    const { phone, isAdmin } = member
    if (!mayChange || !group.isAdmin || (phone !== null && phone === own)) return []
    const run = (action: MemberAction) => () =>
      change.mutate({ action, people: [nameInRequest(member)] }, { onError: toasts.failed })
    return [
      isAdmin ? { title: t.demote, onChoose: run('demote') } : { title: t.promote, onChoose: run('promote') },
      { title: t.remove, danger: true, onChoose: () => setRemoving(member) },
    ]
  }
  return (
    <Card
      title={t.memberList}
      actions={mayAdd ? <Button onClick={() => setAdding(true)}>{t.add}</Button> : null}
    >
      {outcomes.length > 0 ? <Outcomes outcomes={outcomes} /> : null}
      <MemberList members={group.participants ?? []} own={own} nameOf={nameOf} itemsFor={itemsFor} />
      {isAdding ? <AddDialog change={change} onClose={() => setAdding(false)} /> : null}
      {removing ? (
        <ConfirmDialog
          title={t.removeTitle(nameOf(removing))}
          text={t.removeText}
          action={t.remove}
          work={{
            ...change,
            mutate: () =>
              change.mutate(
                { action: 'remove', people: [nameInRequest(removing)] },
                { onSuccess: () => setRemoving(undefined) },
              ),
          }}
          onClose={() => {
            change.reset()
            setRemoving(undefined)
          }}
        />
      ) : null}
    </Card>
  )
}

/** A member whose number is hidden is named by the lid. */
const nameInRequest = ({ phone, jid }: Participant): string => phone ?? jid

function useMemberChange(reference: GroupReference, onOutcomes: (outcomes: readonly Outcome[]) => void) {
  const queries = useQueryClient()
  return useMutation({
    mutationFn: ({ action, people }: Change) =>
      api.changeGroupMembers({ ...inputOf(reference), body: { [action]: people } }),
    onSuccess({ group, members }) {
      keepGroup(queries, reference, group)
      onOutcomes(members)
    },
  })
}

function useMemberNames({ instanceName }: GroupReference): (member: Participant) => string {
  const titleOf = useChatTitle()
  const { read } = useChats([instanceName], 1)
  const chats = new Map(read.flatMap((one) => one.chats).map((chat) => [chat.remoteJid, chat]))
  return ({ jid, phone }) =>
    titleOf(
      phone === null ? jid : `${phone}@s.whatsapp.net`,
      chats.get(jid) ?? chats.get(`${phone}@s.whatsapp.net`),
    )
}

interface TableProps {
  members: readonly Participant[]
  own: string | null
  nameOf(member: Participant): string
  itemsFor(member: Participant): MenuItem[]
}

const A_PAGE = 50

/** Admins first. A group has up to a thousand members, so they are searched and paged. */
function MemberList({ members, ...rest }: TableProps) {
  const t = useTexts(groupTexts)
  const [search, setSearch] = useState('')
  const [page, setPage] = useState(1)
  const needle = search.trim().toLowerCase()
  const found = members
    .filter((member) =>
      [rest.nameOf(member), member.phone ?? ''].some((text) => text.toLowerCase().includes(needle)),
    )
    .toSorted((a, b) => Number(b.isAdmin) - Number(a.isAdmin))
  const shown = found.slice((page - 1) * A_PAGE, page * A_PAGE)
  return (
    <>
      {members.length > A_PAGE ? (
        <TextField
          label={t.searchMembers}
          type="search"
          value={search}
          onChange={(text) => {
            setSearch(text)
            setPage(1)
          }}
        />
      ) : null}
      <MemberTable
        {...rest}
        members={shown}
        paging={{ page, hasMore: found.length > page * A_PAGE, onPage: setPage }}
      />
    </>
  )
}

function MemberTable({ members, own, nameOf, itemsFor, paging }: TableProps & { paging: Paging }) {
  const t = useTexts(groupTexts)
  const ui = useTexts(uiTexts)
  return (
    <Table
      label={t.memberList}
      records={members}
      keyOf={({ jid }) => jid}
      paging={paging}
      columns={[
        {
          title: t.columns.name,
          cell: (member) => (
            <span className="avatar-row">
              <Avatar id={member.phone ?? member.jid} title={nameOf(member)} />
              <strong className="wrap">
                {member.phone !== null && member.phone === own ? t.you : nameOf(member)}
              </strong>
            </span>
          ),
        },
        {
          title: t.columns.number,
          cell: ({ phone }) => <span className="number nowrap">{phone === null ? '–' : `+${phone}`}</span>,
        },
        {
          title: t.columns.role,
          cell: ({ isAdmin }) => (isAdmin ? <Badge tone="good">{t.admin}</Badge> : <Badge>{t.member}</Badge>),
        },
        {
          title: ui.actions,
          actions: true,
          cell(member) {
            const items = itemsFor(member)
            return items.length === 0 ? null : <Menu label={t.actionsFor(nameOf(member))} items={items} />
          },
        },
      ]}
    />
  )
}

function AddDialog({ change, onClose }: { change: ReturnType<typeof useMemberChange>; onClose(): void }) {
  const t = useTexts(groupTexts)
  const errorText = useErrorText()
  const [text, setText] = useState('')
  const numbers = numbersIn(text)
  const close = () => {
    change.reset()
    onClose()
  }
  return (
    <FormDialog
      title={t.add}
      intro={<p>{t.numbersHint}</p>}
      action={t.add}
      isPending={change.isPending}
      isBlocked={numbers.length === 0}
      onSubmit={() => change.mutate({ action: 'add', people: numbers }, { onSuccess: onClose })}
      onClose={close}
    >
      <AreaField
        label={t.numbers}
        rows={4}
        value={text}
        onChange={(next) => {
          change.reset()
          setText(next)
        }}
        fault={change.error ? errorText(change.error) : undefined}
      />
    </FormDialog>
  )
}
