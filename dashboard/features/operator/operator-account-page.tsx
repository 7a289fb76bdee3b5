// One account for the operator: subscription, keys, users and a link to its instances.

import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { Link, useLocation } from 'wouter'
import type { z } from 'zod'
import type { Account as AccountSchema } from '../../../src/contract/admin.ts'
import { api } from '../../gateway/api.ts'
import { accountQuery } from '../../gateway/queries.ts'
import { Badge } from '../../ui/badge.tsx'
import { Button, ButtonLink } from '../../ui/button.tsx'
import { Card, Facts } from '../../ui/card.tsx'
import { useFormat, useTexts } from '../../ui/language.tsx'
import { Menu } from '../../ui/menu.tsx'
import { Loaded, PageHead } from '../../ui/page-head.tsx'
import { uiTexts } from '../../ui/texts/ui-texts.ts'
import { ApiKeys } from '../account/api-keys.tsx'
import { keysOfAccount } from '../account/key-ring.ts'
import { accountTexts } from '../account/texts/account-texts.ts'
import { addressOfInstances, addressOfOverview } from './operator-instances.tsx'
import { OperatorUsers } from './operator-users.tsx'
import { RemoveDialog } from './remove-dialog.tsx'
import { RenameDialog } from './rename-dialog.tsx'
import { SubscriptionDialog } from './subscription-dialog.tsx'
import { operatorTexts } from './texts/operator-texts.ts'

type Account = z.output<typeof AccountSchema>

export function OperatorAccountPage({ params: { id = '' } }: { params: Record<string, string> }) {
  const t = useTexts(operatorTexts)
  const query = useQuery(accountQuery(id))
  return (
    <>
      <Link className="small" href="/operator">
        ← {t.allAccounts}
      </Link>
      <Loaded query={query}>{({ account }) => <AccountView key={account.id} account={account} />}</Loaded>
    </>
  )
}

function AccountView({ account }: { account: Account }) {
  const t = useTexts(operatorTexts)
  const format = useFormat()
  const id = String(account.id)
  return (
    <>
      <PageHead
        title={account.name}
        lead={t.accountLead(id, format.date(account.createdAt))}
        actions={<Actions account={account} />}
      />
      <div className="grid">
        <SubscriptionCard account={account} />
        <OperatorUsers accountId={id} />
      </div>
      <ApiKeys ring={keysOfAccount(id)} />
    </>
  )
}

function Actions({ account }: { account: Account }) {
  const t = useTexts(operatorTexts)
  const ui = useTexts(uiTexts)
  const [, go] = useLocation()
  const [requested, ask] = useState<'rename' | 'remove'>()
  const close = () => ask(undefined)
  return (
    <>
      <ButtonLink href={addressOfInstances(account.id)}>{t.tabs.instances}</ButtonLink>
      <Menu
        label={ui.actions}
        items={[
          { title: t.tabs.overview, onChoose: () => go(addressOfOverview(account.id)) },
          { title: t.rename, onChoose: () => ask('rename') },
          { title: t.remove, danger: true, onChoose: () => ask('remove') },
        ]}
      />
      {requested === 'rename' ? <RenameDialog account={account} onClose={close} /> : null}
      {requested === 'remove' ? (
        <RemoveDialog
          name={account.name}
          remove={() => api.adminDeleteAccount({ params: { id: String(account.id) } })}
          onClose={close}
          onDone={() => go('/operator')}
        />
      ) : null}
    </>
  )
}

function SubscriptionCard({ account }: { account: Account }) {
  const t = useTexts(operatorTexts)
  const words = useTexts(accountTexts)
  const format = useFormat()
  const [changing, setChanging] = useState(false)
  const { subscription, plan } = account
  return (
    <Card
      title={words.plan}
      actions={
        <Button small onClick={() => setChanging(true)}>
          {t.subscription}
        </Button>
      }
    >
      {subscription.hasAccess ? null : <div className="note warn">{words.noAccess}</div>}
      <Facts
        facts={[
          [words.planName, plan.name],
          [
            words.status,
            <Badge key="status" tone={subscription.hasAccess ? 'good' : 'bad'}>
              {words.statuses[subscription.status]}
            </Badge>,
          ],
          [words.periodEnd, format.dateTime(subscription.currentPeriodEnd)],
          [words.trialEnd, format.dateTime(subscription.trialEndsAt)],
          [words.expires, format.dateTime(subscription.expiresAt)],
          [t.effectiveExpiry, format.dateTime(subscription.effectiveExpiry)],
        ]}
      />
      {changing ? <SubscriptionDialog account={account} onClose={() => setChanging(false)} /> : null}
    </Card>
  )
}
