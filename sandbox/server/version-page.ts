// The script of the network's web client. Of its content only the version matters; it has the form of the real one.
import type { FastifyInstance } from 'fastify'
import type { World } from '../model/world.ts'
import { announcedVersion } from '../network/client-versions.ts'

const PAGE_PATH = '/sw.js'

export function serveVersionPage(app: FastifyInstance, world: Pick<World, 'versions'>): void {
  app.get(PAGE_PATH, (_request, reply) => {
    const revision = Number(announcedVersion(world).split('.').at(-1))
    const config = JSON.stringify(JSON.stringify({ server_revision: revision, client_revision: revision }))
    return reply.type('application/javascript').send(`self.config = JSON.parse(${config});\n`)
  })
}
