// The table of pages. A new page is one file in pages/ and one line here; its name stands in texts/…/shell.ts.
import { type ComponentType, lazy } from 'react'
import type { SignInKind } from './sign-in.ts'
import type { shell } from './texts/en/shell.ts'
import type { IconName } from './ui/icons.tsx'

export interface Page {
  /** A pattern of the router; what it names is handed to the component as `params`. */
  path: string
  name: keyof (typeof shell)['pages']
  /** With an icon it stands in the navigation, in the order of this table. */
  icon?: IconName
  /** Whose sign-in it needs. */
  who: SignInKind
  /** Shown only where the gateway runs on the sandbox network. */
  sandboxOnly?: true
  component: ComponentType<{ params: Record<string, string> }>
}

type Load = () => Promise<ComponentType<{ params: Record<string, string> }>>
const page = (load: Load) => lazy(async () => ({ default: await load() }))

export const PAGES: readonly Page[] = [
  {
    path: '/',
    name: 'start',
    who: 'account',
    component: page(async () => (await import('./pages/start.tsx')).StartPage),
  },
  {
    path: '/instances',
    name: 'instances',
    icon: 'instances',
    who: 'account',
    component: page(async () => (await import('./pages/instances.tsx')).InstancesPage),
  },
  {
    path: '/instances/:name',
    name: 'instance',
    who: 'account',
    component: page(async () => (await import('./pages/instance.tsx')).InstancePage),
  },
  {
    path: '/conversations',
    name: 'conversations',
    icon: 'conversations',
    who: 'account',
    component: page(async () => (await import('./pages/conversations.tsx')).ConversationsPage),
  },
  {
    path: '/contacts',
    name: 'contacts',
    icon: 'contacts',
    who: 'account',
    component: page(async () => (await import('./pages/contacts.tsx')).ContactsPage),
  },
  {
    path: '/webhooks',
    name: 'webhooks',
    icon: 'webhooks',
    who: 'account',
    component: page(async () => (await import('./pages/webhooks.tsx')).WebhooksPage),
  },
  {
    path: '/webhooks/:id',
    name: 'webhook',
    who: 'account',
    component: page(async () => (await import('./pages/webhook.tsx')).WebhookPage),
  },
  {
    path: '/events',
    name: 'events',
    icon: 'events',
    who: 'account',
    component: page(async () => (await import('./pages/events.tsx')).EventsPage),
  },
  {
    path: '/phone',
    name: 'phone',
    icon: 'phone',
    who: 'account',
    sandboxOnly: true,
    component: page(async () => (await import('./pages/phone.tsx')).PhonePage),
  },
  {
    path: '/account',
    name: 'account',
    icon: 'account',
    who: 'account',
    component: page(async () => (await import('./pages/account.tsx')).AccountPage),
  },
  {
    path: '/operator',
    name: 'operator',
    icon: 'operator',
    who: 'operator',
    component: page(async () => (await import('./pages/operator.tsx')).OperatorPage),
  },
  {
    path: '/operator/accounts/:id',
    name: 'operatorAccount',
    who: 'operator',
    component: page(async () => (await import('./pages/operator-account.tsx')).OperatorAccountPage),
  },
]
