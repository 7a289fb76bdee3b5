// The instance endpoints (spec 4.2).
import QRCode from 'qrcode'
import type { Deps } from '../../domain/deps.ts'
import { readActivity } from '../../domain/instance-activity.ts'
import * as instances from '../../domain/instances.ts'
import { iso } from '../../domain/time.ts'
import type { Handlers } from '../handler.ts'

/** Pixels a side: large enough for a phone held at arm's length. */
const QR_WIDTH = 400

/** Images of a login or a person are nobody else's: not kept, not referred to, not guessed at (decisions 5). */
const IMAGE_HEADERS: [string, string][] = [
  ['Cache-Control', 'private, no-store'],
  ['Referrer-Policy', 'no-referrer'],
  ['X-Content-Type-Options', 'nosniff'],
]

/** What is asked of instances without changing them. */
export const instanceReadHandlers = (
  deps: Deps,
): Handlers<'instanceState' | 'instanceActivity' | 'listInstances'> => ({
  async instanceState({ caller }, { query }) {
    const row = await instances.requireInstance(deps, caller.account.id, query.instanceName)
    const instance = instances.toInstanceState(row)
    const raw = { instanceName: row.api_name, state: instance.state }
    return { success: true, data: { instance: raw }, instance }
  },
  async instanceActivity({ caller }, { query }) {
    return { success: true, ...(await readActivity(deps, caller, query.instanceName)) }
  },
  async listInstances({ caller }) {
    const list = await instances.listInstances(deps, caller)
    return { success: true, count: list.length, instances: list }
  },
})

export function instanceHandlers(
  deps: Deps,
): Handlers<'createInstance' | 'connectInstance' | 'restartInstance' | 'logoutInstance' | 'deleteInstance'> {
  return {
    async createInstance({ caller }, { body }) {
      return { success: true, instance: await instances.createInstance(deps, caller, body) }
    },
    async connectInstance({ caller }, { query: { instanceName }, body }) {
      const connected = await instances.connectInstance(deps, caller, instanceName, body.number)
      const { instance, pairing } = connected
      const qr = pairing.qr && { code: pairing.qr.code, expiresAt: iso(pairing.qr.expiresAt) }
      return { success: true, instance, qr, pairingCode: pairing.pairingCode }
    },
    async restartInstance({ caller }, { query }) {
      return { success: true, instance: await instances.restartInstance(deps, caller, query.instanceName) }
    },
    async logoutInstance({ caller }, { query }) {
      const row = await instances.logoutInstance(deps, caller, query.instanceName)
      return {
        success: true,
        message: 'The instance is logged out and its session data destroyed.',
        instance: shortForm(row),
        connectionState: 'close',
      }
    },
    async deleteInstance({ caller }, { query }) {
      const deletion = await instances.deleteInstance(deps, caller, query.instanceName)
      const { instance, lastState, missing } = deletion
      return {
        success: true,
        message: missing ? 'The instance was deleted before.' : 'The instance is deleted.',
        instance: shortForm(instance),
        connectionState: lastState,
        instanceDeleted: true,
        instanceMissing: missing,
      }
    },
  }
}

const shortForm = ({ id, display_name: name }: instances.Deletion['instance']) => ({
  id,
  instanceName: name,
  displayName: name,
})

export const imageHandlers = (deps: Deps): Handlers<'qrImage' | 'profilePicture'> => ({
  async qrImage({ caller, setHeader }, { query }) {
    const qr = await instances.loginQr(deps, caller, query.instanceName)
    for (const [name, value] of IMAGE_HEADERS) setHeader(name, value)
    return { bytes: await QRCode.toBuffer(qr.code, { width: QR_WIDTH }), contentType: 'image/png' }
  },
  async profilePicture({ caller, setHeader }, { query }) {
    const picture = await instances.profilePicture(deps, caller, query.instanceName)
    for (const [name, value] of IMAGE_HEADERS) setHeader(name, value)
    return picture
  },
})
