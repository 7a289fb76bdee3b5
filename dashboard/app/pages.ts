// The table of pages. A new page is a file in its feature, an entry here, and what it needs in `page-needs.ts`; its title is in `texts/`.
import { type ComponentType, lazy } from 'react'
import type { SignInKind } from '../../src/contract/session.ts'
import type { Can } from '../gateway/permission.ts'
import { loadTexts } from '../ui/dictionary.ts'
import type { IconName } from '../ui/icons.tsx'
import { preferredLanguage } from '../ui/language.tsx'
import { mayOpen, type PageName } from './page-needs.ts'

export interface DashboardPage {
  /** A pattern of the router; its parameters are passed to the component as `params`. */
  path: string
  name: PageName
  /** Pages with an icon are in the navigation, in the order of this table. */
  icon?: IconName
  /** The sign-in that the page requires. */
  who: SignInKind
  /** Available only if the gateway uses the sandbox network. */
  sandboxOnly?: true
  component: ComponentType<{ params: Record<string, string> }>
}

type Load = () => Promise<ComponentType<{ params: Record<string, string> }>>
const page = (load: Load) =>
  lazy(async () => {
    const component = await load()
    await loadTexts(preferredLanguage())
    return { default: component }
  })

export const PAGES: readonly DashboardPage[] = [
  {
    path: '/',
    name: 'start',
    who: 'account',
    component: page(async () => (await import('../features/start/start-page.tsx')).StartPage),
  },
  {
    path: '/overview',
    name: 'overview',
    icon: 'overview',
    who: 'account',
    component: page(async () => (await import('../features/overview/overview-page.tsx')).OverviewPage),
  },
  {
    path: '/instances',
    name: 'instances',
    icon: 'instances',
    who: 'account',
    component: page(async () => (await import('../features/instances/instances-page.tsx')).InstancesPage),
  },
  {
    path: '/instances/:name',
    name: 'instance',
    who: 'account',
    component: page(async () => (await import('../features/instances/instance-page.tsx')).InstancePage),
  },
  {
    path: '/conversations',
    name: 'conversations',
    icon: 'conversations',
    who: 'account',
    component: page(
      async () => (await import('../features/conversations/conversations-page.tsx')).ConversationsPage,
    ),
  },
  {
    path: '/conversations/scheduled',
    name: 'scheduled',
    who: 'account',
    component: page(
      async () => (await import('../features/conversations/pending/scheduled-page.tsx')).ScheduledPage,
    ),
  },
  {
    path: '/conversations/approvals',
    name: 'approvals',
    icon: 'approvals',
    who: 'account',
    component: page(
      async () => (await import('../features/conversations/pending/approvals-page.tsx')).ApprovalsPage,
    ),
  },
  {
    path: '/conversations/group',
    name: 'group',
    who: 'account',
    component: page(async () => (await import('../features/conversations/groups/group-page.tsx')).GroupPage),
  },
  {
    path: '/contacts',
    name: 'contacts',
    icon: 'contacts',
    who: 'account',
    component: page(async () => (await import('../features/contacts/contacts-page.tsx')).ContactsPage),
  },
  {
    path: '/webhooks',
    name: 'webhooks',
    icon: 'webhooks',
    who: 'account',
    component: page(async () => (await import('../features/webhooks/webhooks-page.tsx')).WebhooksPage),
  },
  {
    path: '/webhooks/:id',
    name: 'webhook',
    who: 'account',
    component: page(async () => (await import('../features/webhooks/webhook-page.tsx')).WebhookPage),
  },
  {
    path: '/destinations',
    name: 'destinations',
    icon: 'destinations',
    who: 'account',
    component: page(
      async () => (await import('../features/webhooks/destinations/destinations-page.tsx')).DestinationsPage,
    ),
  },
  {
    path: '/destinations/:id',
    name: 'destination',
    who: 'account',
    component: page(
      async () => (await import('../features/webhooks/destinations/destination-page.tsx')).DestinationPage,
    ),
  },
  {
    path: '/events',
    name: 'events',
    icon: 'events',
    who: 'account',
    component: page(async () => (await import('../features/events/events-page.tsx')).EventsPage),
  },
  {
    path: '/phone',
    name: 'phone',
    icon: 'phone',
    who: 'account',
    sandboxOnly: true,
    component: page(async () => (await import('../features/phones/phone-page.tsx')).PhonePage),
  },
  {
    path: '/account',
    name: 'account',
    icon: 'account',
    who: 'account',
    component: page(async () => (await import('../features/account/account-page.tsx')).AccountPage),
  },
  {
    path: '/oauth/authorize',
    name: 'authorize',
    who: 'account',
    component: page(async () => (await import('../features/authorize/authorize-page.tsx')).AuthorizePage),
  },
  {
    path: '/operator',
    name: 'operator',
    icon: 'operator',
    who: 'operator',
    component: page(async () => (await import('../features/operator/operator-page.tsx')).OperatorPage),
  },
  {
    path: '/operator/accounts/:id',
    name: 'operatorAccount',
    who: 'operator',
    component: page(
      async () => (await import('../features/operator/operator-account-page.tsx')).OperatorAccountPage,
    ),
  },
]

/** The page after signing in: the instances, or the inbox for a key that does not administer them; undefined: the key opens no page. */
export function homeOf(can: Can, sandbox: boolean): string | undefined {
  if (can('createInstance')) return '/instances'
  const open = PAGES.filter(
    ({ who, icon, name, sandboxOnly }) =>
      who === 'account' && icon !== undefined && mayOpen(can, name) && (sandbox || !sandboxOnly),
  ).map(({ path }) => path)
  return open.includes('/conversations') ? '/conversations' : open[0]
}

/** Pages without a sign-in. */
export const OPEN_PAGES: readonly Pick<DashboardPage, 'path' | 'component'>[] = [
  {
    path: '/passkey',
    component: page(async () => (await import('../features/passkey/passkey-page.tsx')).PasskeyPage),
  },
  {
    path: '/passkey/return',
    component: page(
      async () => (await import('../features/passkey/passkey-return-page.tsx')).PasskeyReturnPage,
    ),
  },
]
