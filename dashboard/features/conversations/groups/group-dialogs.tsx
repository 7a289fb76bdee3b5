// Creates a group, or joins one with its invite link.

import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { useLocation } from 'wouter'
import { api } from '../../../gateway/api.ts'
import { AreaField } from '../../../ui/area-field.tsx'
import { Button } from '../../../ui/button.tsx'
import { Facts } from '../../../ui/card.tsx'
import { Dialog } from '../../../ui/dialog.tsx'
import { SelectField, TextField } from '../../../ui/fields.tsx'
import { FormDialog } from '../../../ui/form-dialog.tsx'
import { useTexts } from '../../../ui/language.tsx'
import { ErrorNote } from '../../../ui/page-head.tsx'
import { faultOf, useFieldFault } from '../../../ui/refusals/error-text.ts'
import type { OpenChat } from '../model/chat-address.ts'
import type { ListedInstance } from '../model/conversation-queries.ts'
import { numbersIn } from './numbers-in.ts'
import { Outcomes } from './outcomes.tsx'
import { groupTexts } from './texts/group-texts.ts'

export type RequestedGroupDialog = 'create' | 'join'

interface DialogProps {
  instances: readonly ListedInstance[]
  addressOfChat(open: OpenChat): string
  onClose(): void
}

export function GroupDialog({ dialog, ...props }: DialogProps & { dialog: RequestedGroupDialog }) {
  return dialog === 'create' ? <CreateGroup {...props} /> : <JoinGroup {...props} />
}

/** Opens the chat of a group in the list that the page shows. */
function useOpenGroup({ addressOfChat, onClose }: DialogProps) {
  const [, go] = useLocation()
  const queries = useQueryClient()
  return (instanceName: string, chat: string) => {
    void queries.invalidateQueries({ queryKey: ['groups', instanceName] })
    onClose()
    go(addressOfChat({ instanceName, chat }))
  }
}

interface ChoiceProps {
  instances: readonly ListedInstance[]
  value: string
  onChange(name: string): void
}

function InstanceChoice({ instances, value, onChange }: ChoiceProps) {
  const t = useTexts(groupTexts)
  if (instances.length < 2) return null
  const options = instances.map((one) => [one.apiInstanceName, one.displayName] as const)
  return <SelectField label={t.instance} value={value} options={options} onChange={onChange} />
}

const FIELDS = ['subject', 'description']

function CreateGroup(props: DialogProps) {
  const t = useTexts(groupTexts)
  const openGroup = useOpenGroup(props)
  const [instanceName, setInstanceName] = useState(props.instances[0]?.apiInstanceName ?? '')
  const [subject, setSubject] = useState('')
  const [description, setDescription] = useState('')
  const [members, setMembers] = useState('')
  const create = useMutation({
    mutationFn: () =>
      api.createGroup({
        body: {
          instanceName,
          subject,
          members: numbersIn(members),
          ...(description === '' ? {} : { description }),
        },
      }),
    onSuccess(made) {
      if (made.members.every(({ outcome }) => outcome === 'added'))
        openGroup(instanceName, made.group.groupJid)
    },
  })
  const change = (set: (value: string) => void) => (value: string) => {
    create.reset()
    set(value)
  }
  const made = create.data
  if (made)
    return (
      <Dialog title={t.created(made.group.subject)} onClose={props.onClose}>
        <p>{t.someNotAdded}</p>
        <Outcomes outcomes={made.members} />
        <div className="row end">
          <Button kind="primary" onClick={() => openGroup(instanceName, made.group.groupJid)}>
            {t.openChat}
          </Button>
        </div>
      </Dialog>
    )
  const known = FIELDS.some((path) => faultOf(create.error, path) !== undefined)
  return (
    <FormDialog
      title={t.create}
      action={t.create}
      isPending={create.isPending}
      isBlocked={subject.trim() === '' || numbersIn(members).length === 0}
      onSubmit={() => create.mutate()}
      onClose={props.onClose}
    >
      <InstanceChoice instances={props.instances} value={instanceName} onChange={change(setInstanceName)} />
      <TextField
        label={t.subject}
        maxLength={100}
        value={subject}
        onChange={change(setSubject)}
        fault={faultOf(create.error, 'subject')}
      />
      <TextField
        label={t.description}
        maxLength={2048}
        value={description}
        onChange={change(setDescription)}
        fault={faultOf(create.error, 'description')}
      />
      <AreaField label={t.numbers} rows={3} value={members} onChange={change(setMembers)} />
      <p className="muted small">{t.numbersHint}</p>
      {create.error && !known ? <ErrorNote error={create.error} /> : null}
    </FormDialog>
  )
}

/** First shows the group of the link, then joins it. */
function JoinGroup(props: DialogProps) {
  const t = useTexts(groupTexts)
  const fieldFault = useFieldFault()
  const openGroup = useOpenGroup(props)
  const [instanceName, setInstanceName] = useState(props.instances[0]?.apiInstanceName ?? '')
  const [code, setCode] = useState('')
  const lookup = useMutation({
    mutationFn: () => api.previewGroupInvite({ params: { code: codeIn(code) }, query: { instanceName } }),
  })
  const join = useMutation({
    mutationFn: () => api.joinGroup({ body: { instanceName, code } }),
    onSuccess({ status, groupJid }) {
      if (status === 'joined') openGroup(instanceName, groupJid)
    },
  })
  const change = (set: (value: string) => void) => (value: string) => {
    lookup.reset()
    join.reset()
    set(value)
  }
  const preview = lookup.data?.preview
  const isRequested = join.data?.status === 'requested'
  return (
    <FormDialog
      title={t.join}
      action={preview ? t.joinNow : t.showGroup}
      isPending={lookup.isPending || join.isPending}
      isBlocked={code.trim() === '' || isRequested}
      onSubmit={() => (preview ? join.mutate() : lookup.mutate())}
      onClose={props.onClose}
    >
      <InstanceChoice instances={props.instances} value={instanceName} onChange={change(setInstanceName)} />
      <TextField
        label={t.code}
        hint={t.codeHint}
        value={code}
        onChange={change(setCode)}
        fault={fieldFault(lookup.error ?? join.error, 'code')}
      />
      <div role="status" className="stack close">
        {preview ? (
          <Facts
            facts={[
              [t.subject, preview.subject],
              [t.description, preview.description ?? '–'],
              [t.memberList, t.members(preview.size)],
              [t.flags.joinApproval, preview.joinApproval ? t.yes : t.no],
            ]}
          />
        ) : null}
        {isRequested ? <div className="note good">{t.requested}</div> : null}
      </div>
    </FormDialog>
  )
}

/** A path cannot contain a whole link. */
const codeIn = (text: string): string =>
  text
    .trim()
    .replace(/^https?:\/\/chat\.whatsapp\.com\/(?:invite\/)?/, '')
    .split('?')[0] ?? ''
