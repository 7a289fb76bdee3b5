// The operator page with its tabs: accounts, instances, overview, plans, nodes and health. The tab is part of the address.
import { lazy, type ReactNode, Suspense } from 'react'
import { useSearchParams } from 'wouter'
import { useTexts } from '../../ui/language.tsx'
import { PageHead } from '../../ui/page-head.tsx'
import { Tabs } from '../../ui/tabs.tsx'
import { OperatorAccounts } from './operator-accounts.tsx'
import { OperatorHold } from './operator-hold.tsx'
import { OperatorInstances } from './operator-instances.tsx'
import { OperatorPlans } from './operator-plans.tsx'
import { operatorTexts } from './texts/operator-texts.ts'

/** Loaded with their tabs: the page opens with the accounts. */
const OperatorHealth = lazy(async () => ({ default: (await import('./operator-health.tsx')).OperatorHealth }))
const OperatorOverview = lazy(async () => ({
  default: (await import('../overview/operator-overview.tsx')).OperatorOverview,
}))
const OperatorNodes = lazy(async () => ({ default: (await import('./operator-nodes.tsx')).OperatorNodes }))

const whenLoaded = (screen: ReactNode) => <Suspense fallback={null}>{screen}</Suspense>

export function OperatorPage() {
  const t = useTexts(operatorTexts)
  const [requested, ask] = useSearchParams()
  const account = requested.get('account') ?? undefined
  return (
    <>
      <PageHead title={t.title} lead={t.lead} />
      <OperatorHold />
      <Tabs
        label={t.title}
        kept={{ chosen: requested.get('tab') ?? undefined, choose: (tab) => ask({ tab }, { replace: true }) }}
        tabs={[
          { id: 'accounts', title: t.tabs.accounts, content: () => <OperatorAccounts /> },
          {
            id: 'instances',
            title: t.tabs.instances,
            content: () => <OperatorInstances key={account} accountId={account} />,
          },
          {
            id: 'overview',
            title: t.tabs.overview,
            content: () => whenLoaded(<OperatorOverview key={account} accountId={account} />),
          },
          { id: 'plans', title: t.tabs.plans, content: () => <OperatorPlans /> },
          {
            id: 'nodes',
            title: t.tabs.nodes,
            content: () => whenLoaded(<OperatorNodes />),
          },
          { id: 'health', title: t.tabs.health, content: () => whenLoaded(<OperatorHealth />) },
        ]}
      />
    </>
  )
}
