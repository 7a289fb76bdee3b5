/** Calls about the network itself: where clients connect, how people are addressed, which frames passed. */
import type { FastifyInstance } from 'fastify'
import { sandboxRoutes as routes } from '../../../contract/sandbox.ts'
import type { Exchange } from '../exchange.ts'
import { waitFor } from '../phone/watch.ts'
import { listFrames } from '../store/frames.ts'
import { setAddressing } from '../world.ts'
import { call } from './routes.ts'

export function networkCalls(app: FastifyInstance, exchange: Exchange, wsUrl: () => string): void {
  const describe = () => ({
    wsUrl: wsUrl(),
    rootPublicKey: exchange.certificates.rootPublicKey.toString('hex'),
    addressing: exchange.world.addressing,
  })
  call(app, routes.sandboxGetNetwork, describe)
  call(app, routes.sandboxSetNetwork, async ({ body }) => {
    setAddressing(exchange.world, exchange.database, body.addressing)
    await exchange.database.committed()
    return describe()
  })
  call(app, routes.sandboxListChanges, async ({ query }) => {
    const { changes } = exchange
    const news = () => changes.after(query.after)
    const isNews = () => [news()].filter(({ missed, changes: found }) => missed || found.length > 0)
    const [found = news()] = await waitFor(changes.watch, query.waitMs, isNews)
    return found
  })
  call(app, routes.sandboxListFrames, ({ query }) => ({ frames: listFrames(exchange.database, query) }))
}
