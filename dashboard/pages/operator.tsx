// The operator's page: accounts, instances of all of them, plans, and how the server is doing. The tab stands in the address.
import { useSearchParams } from 'wouter'
import { useTexts } from '../language.tsx'
import { operatorTexts } from '../texts/operator.ts'
import { PageHead } from '../ui/page-head.tsx'
import { Tabs } from '../ui/tabs.tsx'
import { OperatorAccounts } from './operator-accounts.tsx'
import { OperatorHealth } from './operator-health.tsx'
import { OperatorInstances } from './operator-instances.tsx'
import { OperatorPlans } from './operator-plans.tsx'

export function OperatorPage() {
  const t = useTexts(operatorTexts)
  const [asked, ask] = useSearchParams()
  const account = asked.get('account') ?? undefined
  return (
    <>
      <PageHead title={t.title} lead={t.lead} />
      <Tabs
        label={t.title}
        kept={{ chosen: asked.get('tab') ?? undefined, choose: (tab) => ask({ tab }, { replace: true }) }}
        tabs={[
          { id: 'accounts', title: t.tabs.accounts, content: () => <OperatorAccounts /> },
          {
            id: 'instances',
            title: t.tabs.instances,
            content: () => <OperatorInstances key={account} accountId={account} />,
          },
          { id: 'plans', title: t.tabs.plans, content: () => <OperatorPlans /> },
          { id: 'health', title: t.tabs.health, content: () => <OperatorHealth /> },
        ]}
      />
    </>
  )
}
