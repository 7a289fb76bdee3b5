// The whole dialect on one screen: method, path and handler of every call, below the version.
import type { CloudCall } from './call.ts'
import { deleteMedia, downloadMedia, uploadMedia } from './media.ts'
import { postMessage } from './messages.ts'
import * as numbers from './phone-numbers.ts'
import * as profile from './profile.ts'
import * as templates from './templates.ts'
import * as webhooks from './webhooks.ts'

type Method = 'GET' | 'POST' | 'DELETE'

// biome-ignore format: one line per call, in columns
export const CALLS: readonly (readonly [method: Method, path: string, call: CloudCall])[] = [
  ['POST',   '/:id/messages',                  postMessage],
  ['DELETE', '/:id',                           deleteMedia],
  ['POST',   '/:id/media',                     uploadMedia],
  ['GET',    '/:id/download',                  downloadMedia],
  ['GET',    '/debug_token',                   numbers.debugToken],
  ['GET',    '/:id',                           numbers.readObject],
  ['POST',   '/:id',                           webhooks.postNumber],
  ['GET',    '/:id/phone_numbers',             numbers.listNumbers],
  ['POST',   '/:id/register',                  numbers.register],
  ['GET',    '/:id/whatsapp_business_profile', profile.getProfile],
  ['POST',   '/:id/whatsapp_business_profile', profile.updateProfile],
  ['GET',    '/:id/message_templates',         templates.getTemplates],
  ['POST',   '/:id/message_templates',         templates.postTemplate],
  ['DELETE', '/:id/message_templates',         templates.deleteTemplate],
  ['GET',    '/:id/subscribed_apps',           webhooks.getSubscriptions],
  ['POST',   '/:id/subscribed_apps',           webhooks.postSubscription],
  ['DELETE', '/:id/subscribed_apps',           webhooks.deleteSubscription],
]

const ACCOUNTS = 'Accounts and numbers are managed by the API of this gateway.'

/** Paths that are known and not offered with any method, and the sentence of the 501. */
export const NOT_OFFERED: readonly (readonly [path: string, sentence: string])[] = [
  ...['calls', 'call_permissions'].map(
    (name) => [`/:id/${name}`, 'This gateway rejects calls, and cannot make them.'] as const,
  ),
  ['/:id/flows', 'Flows need the Business Platform, which this gateway does not offer.'],
  ['/:id/message_qrdls', 'Codes with a prefilled message are not available.'],
  ['/:id/conversational_automation', 'Automatic answers are not part of this gateway.'],
  ...['request_code', 'verify_code', 'deregister', 'settings', 'assigned_users'].map(
    (name) => [`/:id/${name}`, ACCOUNTS] as const,
  ),
  ['/:id/groups', 'Groups are managed by the API of this gateway; messages can be sent to them.'],
  ['/:id/block_users', 'People are blocked by the API of this gateway.'],
]
