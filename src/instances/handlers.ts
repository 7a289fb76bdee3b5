// Instances: their state, their life cycle, and the images of an instance.
import { mayUse } from '../accounts/caller.ts'
import * as pictures from '../contacts/pictures.ts'
import type { Deps } from '../context.ts'
import type { DrawQr } from '../kernel/http/qr-images.ts'
import { iso } from '../kernel/time.ts'
import type { Handlers } from '../request-handler.ts'
import { currentPasskey, shownOrNull } from './current-passkey.ts'
import { readActivity } from './instance-activity.ts'
import * as instances from './instances.ts'
import { logoutInstance } from './log-out.ts'

/** Login codes and pictures of people are private: no cache, no referrer, no guessing of the type. */
const IMAGE_HEADERS: [string, string][] = [
  ['Cache-Control', 'private, no-store'],
  ['Referrer-Policy', 'no-referrer'],
  ['X-Content-Type-Options', 'nosniff'],
]

/** A chat list shows many of them often, and their URL changes with the picture: browsers may cache them for a while. */
const CHAT_PICTURE_CACHE = 'private, max-age=300'

export const instanceReadHandlers = (deps: Pick<Deps, 'store' | 'clock' | 'sessions'>) =>
  ({
    async instanceState({ caller }, { query }) {
      const row = await instances.requireInstance(deps, caller.account.id, query.instanceName)
      const instance = instances.toInstanceState(row, caller.origin)
      const raw = { instanceName: row.api_name, state: instance.state }
      // A key that cannot link the instance sees nothing of the link.
      const passkey = mayUse(caller, ['instances:manage'])
        ? shownOrNull(await currentPasskey(deps, row))
        : null
      return { data: { instance: raw }, instance, passkey }
    },
    instanceActivity: ({ caller }, { query }) => readActivity(deps, caller, query.instanceName),
    async listInstances({ caller }) {
      const list = await instances.listInstances(deps, caller)
      return { count: list.length, instances: list }
    },
  }) satisfies Partial<Handlers>

export function instanceHandlers(deps: Pick<Deps, 'store' | 'clock' | 'vault' | 'sessions' | 'files'>) {
  return {
    async createInstance({ caller }, { body }) {
      return { instance: await instances.createInstance(deps, caller, body) }
    },
    async connectInstance({ caller }, { query: { instanceName }, body }) {
      const connected = await instances.connectInstance(deps, caller, instanceName, body.number)
      const { instance, pairing, passkey } = connected
      const qr = pairing.qr && { code: pairing.qr.code, expiresAt: iso(pairing.qr.expiresAt) }
      return { instance, qr, pairingCode: pairing.pairingCode, passkey: shownOrNull(passkey) }
    },
    async restartInstance({ caller }, { query }) {
      return { instance: await instances.restartInstance(deps, caller, query.instanceName) }
    },
    async logoutInstance({ caller }, { query }) {
      const { instance, isFinished } = await logoutInstance(deps, caller, query.instanceName)
      return {
        message: isFinished
          ? 'The instance is logged out and its session data destroyed.'
          : 'The instance is logged out; its session data is destroyed as soon as the store can be written.',
        instance: shortForm(instance),
        connectionState: 'close',
      }
    },
    async deleteInstance({ caller }, { query }) {
      const deletion = await instances.deleteInstance(deps, caller, query.instanceName)
      const { instance, lastState, missing } = deletion
      return {
        message: missing ? 'The instance was deleted before.' : 'The instance is deleted.',
        instance: shortForm(instance),
        connectionState: lastState,
        instanceDeleted: true,
        instanceMissing: missing,
      }
    },
  } satisfies Partial<Handlers>
}

const shortForm = ({ id, display_name: name }: instances.Deletion['instance']) => ({
  id,
  instanceName: name,
  displayName: name,
})

export interface ImageDeps extends Pick<Deps, 'store' | 'vault' | 'clock' | 'sessions'> {
  drawQr: DrawQr
}

export const imageHandlers = (deps: ImageDeps) =>
  ({
    async qrImage({ caller, setHeader }, { query }) {
      const qr = await instances.loginQr(deps, caller, query.instanceName)
      for (const [name, value] of IMAGE_HEADERS) setHeader(name, value)
      return { bytes: await deps.drawQr(qr.code), contentType: 'image/png' }
    },
    async profilePicture({ caller, setHeader }, { query }) {
      const picture = await pictures.profilePicture(deps, caller, query.instanceName)
      for (const [name, value] of IMAGE_HEADERS) setHeader(name, value)
      return picture
    },
    async chatPicture({ caller, setHeader }, { query }) {
      const picture = await pictures.chatPicture(deps, caller, query)
      for (const [name, value] of IMAGE_HEADERS) setHeader(name, value)
      setHeader('Cache-Control', CHAT_PICTURE_CACHE)
      return picture
    },
  }) satisfies Partial<Handlers>
