// The operator's page: accounts, plans, and how the server is doing.
import { useTexts } from '../language.tsx'
import { operatorTexts } from '../texts/operator.ts'
import { PageHead } from '../ui/page-head.tsx'
import { Tabs } from '../ui/tabs.tsx'
import { OperatorAccounts } from './operator-accounts.tsx'
import { OperatorHealth } from './operator-health.tsx'
import { OperatorPlans } from './operator-plans.tsx'

export function OperatorPage() {
  const t = useTexts(operatorTexts)
  return (
    <>
      <PageHead title={t.title} lead={t.lead} />
      <Tabs
        label={t.title}
        tabs={[
          { id: 'accounts', title: t.tabs.accounts, content: () => <OperatorAccounts /> },
          { id: 'plans', title: t.tabs.plans, content: () => <OperatorPlans /> },
          { id: 'health', title: t.tabs.health, content: () => <OperatorHealth /> },
        ]}
      />
    </>
  )
}
