// The walls of a new key: which instances and chats it reaches, how much it sends, and whether a person approves its sends.
import { useQuery } from '@tanstack/react-query'
import { MAX_WALL_CHATS, WROTE_FIRST } from '../../../src/contract/wall-values.ts'
import { instancesQuery } from '../../gateway/queries.ts'
import { Checks, SelectField, TextField } from '../../ui/fields.tsx'
import { useTexts } from '../../ui/language.tsx'
import { useFieldFault } from '../../ui/refusals/error-text.ts'
import { accountTexts } from './texts/account-texts.ts'
import type { ChatWall, WallForm } from './wall-form.ts'

interface WallFieldsProps {
  walls: WallForm
  onChange(walls: WallForm): void
  /** Of the last attempt. */
  error: Error | null
  /** The operator does not see the instances of the account. */
  hasInstances: boolean
}

export function WallFields({ walls, onChange, error, hasInstances }: WallFieldsProps) {
  const { walls: t } = useTexts(accountTexts)
  const fault = useFieldFault()
  const change = (part: Partial<WallForm>) => onChange({ ...walls, ...part })
  return (
    <>
      {hasInstances ? <InstanceWall walls={walls} onChange={(instances) => change({ instances })} /> : null}
      <SelectField<ChatWall>
        label={t.chats}
        value={walls.chats}
        options={[
          ['all', t.allChats],
          [WROTE_FIRST, t.wroteFirst],
          ['listed', t.listedChats],
        ]}
        onChange={(chats) => change({ chats })}
      />
      {walls.chats === 'listed' ? (
        <TextField
          label={t.listed}
          hint={t.listedHint(MAX_WALL_CHATS)}
          fault={fault(error, 'chats') ?? fault(error, 'chats.0')}
          value={walls.listed}
          onChange={(listed) => change({ listed })}
        />
      ) : null}
      <TextField
        label={t.messagesPerDay}
        hint={t.messagesPerDayHint}
        fault={fault(error, 'messagesPerDay')}
        inputMode="numeric"
        value={walls.messagesPerDay}
        onChange={(messagesPerDay) => change({ messagesPerDay })}
      />
      <Checks
        label={t.approval}
        hint={t.approvalHint}
        options={[
          ['approval', t.approvalOn],
          ...(walls.approval ? ([['approvalOnPhone', t.approvalOnPhone]] as const) : []),
        ]}
        chosen={[
          ...(walls.approval ? (['approval'] as const) : []),
          ...(walls.approvalOnPhone ? (['approvalOnPhone'] as const) : []),
        ]}
        onChange={(chosen) => {
          const approval = chosen.includes('approval')
          change({ approval, approvalOnPhone: approval && chosen.includes('approvalOnPhone') })
        }}
      />
    </>
  )
}

function InstanceWall({ walls, onChange }: { walls: WallForm; onChange(instances: string[]): void }) {
  const { walls: t } = useTexts(accountTexts)
  const { data } = useQuery(instancesQuery)
  const names = data?.instances ?? []
  return names.length === 0 ? null : (
    <Checks
      label={t.instances}
      hint={t.instancesHint}
      options={names.map(({ apiInstanceName, displayName }) => [apiInstanceName, displayName])}
      chosen={walls.instances}
      onChange={onChange}
    />
  )
}
