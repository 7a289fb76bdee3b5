// The users of an account, managed by the operator.

import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import type { z } from 'zod'
import type { User as UserSchema } from '../../../src/contract/admin.ts'
import { api } from '../../gateway/api.ts'
import { usersQuery } from '../../gateway/queries.ts'
import { Button } from '../../ui/button.tsx'
import { Card } from '../../ui/card.tsx'
import { TextField } from '../../ui/fields.tsx'
import { FormDialog } from '../../ui/form-dialog.tsx'
import { useTexts } from '../../ui/language.tsx'
import { Menu } from '../../ui/menu.tsx'
import { Loaded } from '../../ui/page-head.tsx'
import { faultOf, useErrorText } from '../../ui/refusals/error-text.ts'
import { Pages } from '../../ui/table.tsx'
import { uiTexts } from '../../ui/texts/ui-texts.ts'
import { accountTexts } from '../account/texts/account-texts.ts'
import css from './operator-users.module.css'
import { RemoveDialog } from './remove-dialog.tsx'
import { operatorTexts } from './texts/operator-texts.ts'

type User = z.output<typeof UserSchema>
type Requested = { what: 'create' } | { what: 'edit' | 'remove'; user: User }

export function OperatorUsers({ accountId }: { accountId: string }) {
  const t = useTexts(operatorTexts)
  const [page, setPage] = useState(1)
  const [requested, ask] = useState<Requested>()
  const query = useQuery(usersQuery(accountId, page))
  const close = () => ask(undefined)
  return (
    <Card
      title={t.users}
      actions={
        <Button small onClick={() => ask({ what: 'create' })}>
          {t.addUser}
        </Button>
      }
    >
      <Loaded query={query}>
        {({ users, hasMore }) => (
          <div>
            {users.length === 0 ? <p className="muted">{t.noUsers}</p> : <UserList users={users} ask={ask} />}
            <Pages page={page} hasMore={hasMore} onPage={setPage} />
          </div>
        )}
      </Loaded>
      {requested?.what === 'create' ? <UserForm accountId={accountId} onClose={close} /> : null}
      {requested?.what === 'edit' ? (
        <UserForm accountId={accountId} user={requested.user} onClose={close} />
      ) : null}
      {requested?.what === 'remove' ? (
        <RemoveDialog
          name={requested.user.name}
          remove={() => api.adminDeleteUser({ params: { id: accountId, userId: String(requested.user.id) } })}
          onClose={close}
        />
      ) : null}
    </Card>
  )
}

function UserList({ users, ask }: { users: readonly User[]; ask(requested: Requested): void }) {
  const t = useTexts(operatorTexts)
  const { actionsFor } = useTexts(accountTexts)
  return (
    <ul className={css.people} aria-label={t.users}>
      {users.map((user) => (
        <li key={user.id}>
          <div className="wrap">
            <strong>{user.name}</strong>
            <div className="muted small">{user.email}</div>
          </div>
          <Menu
            label={actionsFor(user.name)}
            items={[
              { title: t.edit, onChoose: () => ask({ what: 'edit', user }) },
              { title: t.remove, danger: true, onChoose: () => ask({ what: 'remove', user }) },
            ]}
          />
        </li>
      ))}
    </ul>
  )
}

interface UserFormProps {
  accountId: string
  /** Undefined to add a user. */
  user?: User
  onClose(): void
}

function UserForm({ accountId, user, onClose }: UserFormProps) {
  const t = useTexts(operatorTexts)
  const ui = useTexts(uiTexts)
  const errorText = useErrorText()
  const queries = useQueryClient()
  const [name, setName] = useState(user?.name ?? '')
  const [email, setEmail] = useState(user?.email ?? '')
  const save = useMutation({
    mutationFn: () =>
      user
        ? api.adminUpdateUser({ params: { id: accountId, userId: String(user.id) }, body: { name, email } })
        : api.adminCreateUser({ params: { id: accountId }, body: { name, email } }),
    onSuccess() {
      void queries.invalidateQueries({ queryKey: ['operator', 'users', accountId] })
      onClose()
    },
  })
  const nameFault = faultOf(save.error, 'name')
  const emailFault = faultOf(save.error, 'email')
  const other = save.error && !nameFault && !emailFault ? errorText(save.error) : undefined
  return (
    <FormDialog
      title={user ? t.editTitle(user.name) : t.addUser}
      action={ui.save}
      isPending={save.isPending}
      onSubmit={() => save.mutate()}
      onClose={onClose}
    >
      <TextField label={t.name} fault={nameFault} maxLength={128} value={name} onChange={setName} />
      <TextField
        label={t.email}
        fault={emailFault ?? other}
        type="email"
        maxLength={254}
        value={email}
        onChange={setEmail}
      />
    </FormDialog>
  )
}
