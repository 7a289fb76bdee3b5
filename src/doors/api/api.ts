// The handlers of the whole API. `src/contract/routes.ts` has one line for each endpoint: method, path, scopes, restriction, declaration.
// The calls of the sandbox are in sandbox-proxy.ts.

import {
  type AuditDeps,
  accountAdminHandlers,
  accountHandlers,
  gatewayHandlers,
  keyAdminHandlers,
  planHandlers,
  type SessionDeps,
  sessionHandlers,
  userHandlers,
} from '../../accounts/handlers.ts'
import {
  callHandlers,
  chatHandlers,
  groupHandlers,
  labelHandlers,
  teamworkHandlers,
} from '../../chats/handlers.ts'
import {
  contactHandlers,
  numberHandlers,
  peopleHandlers,
  profileHandlers,
  settingsHandlers,
} from '../../contacts/handlers.ts'
import type { Deps } from '../../context.ts'
import { type RouteId, routes } from '../../contract/routes.ts'
import { type EventDeps, eventHandlers } from '../../events/handlers.ts'
import { mediaHandlers } from '../../files/handlers.ts'
import {
  type ImageDeps,
  imageHandlers,
  instanceHandlers,
  instanceReadHandlers,
} from '../../instances/handlers.ts'
import { passkeyHandlers, passkeyLinkHandlers } from '../../instances/handlers-passkey.ts'
import { type MessageDeps, messageHandlers } from '../../messages/handlers.ts'
import { nodeHandlers } from '../../nodes/handlers.ts'
import type { NodeDeps } from '../../nodes/nodes.ts'
import type { HandledRoute, Handlers } from '../../request-handler.ts'
import { type SendingDeps, sendingHandlers } from '../../sending/handlers.ts'
import { type StatisticsDeps, statisticsHandlers } from '../../statistics/handlers.ts'
import {
  type DestinationDeps,
  deliveryHandlers,
  destinationDeliveryHandlers,
  destinationHandlers,
  type WebhookDeps,
  webhookHandlers,
} from '../../webhooks/handlers.ts'
import { type ChatwootDeps, chatwootHandlers } from '../chatwoot/handlers.ts'
import { type SystemDeps, systemHandlers } from './handlers-system.ts'

export interface ApiDeps
  extends Deps,
    NodeDeps,
    AuditDeps,
    SendingDeps,
    ImageDeps,
    WebhookDeps,
    DestinationDeps,
    ChatwootDeps,
    EventDeps,
    SessionDeps,
    SystemDeps,
    StatisticsDeps,
    MessageDeps {}

/** The handlers of every endpoint of `src/contract/routes.ts`. An endpoint without one is an error of the compiler. */
const createHandlers = (deps: ApiDeps): Handlers => ({
  ...sendingHandlers(deps),
  ...mediaHandlers(deps),
  ...messageHandlers(deps),
  ...chatHandlers(deps),
  ...instanceReadHandlers(deps),
  ...instanceHandlers(deps),
  ...passkeyHandlers(deps),
  ...settingsHandlers(deps),
  ...profileHandlers(deps),
  ...imageHandlers(deps),
  ...contactHandlers(deps),
  ...labelHandlers(deps),
  ...teamworkHandlers(deps),
  ...groupHandlers(deps),
  ...callHandlers(deps),
  ...peopleHandlers(deps),
  ...numberHandlers(deps),
  ...accountHandlers(deps),
  ...statisticsHandlers(deps),
  ...webhookHandlers(deps),
  ...deliveryHandlers(deps),
  ...destinationHandlers(deps),
  ...destinationDeliveryHandlers(deps),
  ...chatwootHandlers(deps),
  ...eventHandlers(deps),
  ...gatewayHandlers(deps),
  ...nodeHandlers(deps),
  ...planHandlers(deps),
  ...accountAdminHandlers(deps),
  ...userHandlers(deps),
  ...keyAdminHandlers(deps),
  ...sessionHandlers(deps),
  ...passkeyLinkHandlers(deps),
  ...systemHandlers(deps),
})

/** Every endpoint with its handler, for the server. */
export function handledRoutes(deps: ApiDeps): HandledRoute[] {
  const handlers = createHandlers(deps)
  return (Object.keys(routes) as RouteId[]).map((id) => ({ route: routes[id], handle: handlers[id] }))
}
