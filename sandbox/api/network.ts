// Calls about the network: its address, its addressing mode, versions of clients, changes and frames.
import type { FastifyInstance } from 'fastify'
import { omitUndefined } from '../../src/contract/omit-undefined.ts'
import { sentenceOf } from '../../src/contract/reasons.ts'
import { sandboxRoutes as routes } from '../../src/contract/sandbox.ts'
import { waitFor } from '../model/notifier.ts'
import { Refusal } from '../model/refusal.ts'
import { setAddressing } from '../network/accounts.ts'
import { announcedVersion, setVersions } from '../network/client-versions.ts'
import type { StateWithPhones } from '../phones/phone.ts'
import { listFrames } from '../store/frames.ts'
import { call } from './call.ts'

export function networkCalls(app: FastifyInstance, state: StateWithPhones, wsUrl: () => string): void {
  const describe = () => ({
    wsUrl: wsUrl(),
    rootPublicKey: state.certificates.rootPublicKey.toString('hex'),
    addressing: state.world.addressing,
    minimumVersion: state.world.versions.minimum,
    announcedVersion: announcedVersion(state.world),
  })
  call(app, state, routes.sandboxGetNetwork, describe)
  call(app, state, routes.sandboxSetNetwork, async ({ body }, view) => {
    if (view.account !== undefined) throw new Refusal('operator_only', sentenceOf('operator_only'))
    const { addressing, minimumVersion: minimum, announcedVersion: announced } = body
    if (addressing !== undefined) setAddressing(state.world, state.database, addressing)
    setVersions(state.world, state.database, omitUndefined({ minimum, announced }))
    await state.database.committed()
    return describe()
  })
  call(app, state, routes.sandboxListChanges, async ({ query }, view) => {
    const feed = state.changes.feedOf(view.account)
    const news = () => feed.after(query.after)
    const isNews = () => [news()].filter(({ missed, changes: found }) => missed || found.length > 0)
    const [found = news()] = await waitFor(feed.notifier, query.waitMs, isNews)
    return found
  })
  call(app, state, routes.sandboxListFrames, ({ query }, view) => {
    const numbers = view.account === undefined ? undefined : view.phones().map(({ number }) => number)
    return { frames: listFrames(state.database, { ...query, numbers }) }
  })
}
