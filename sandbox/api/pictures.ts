// The call that reads a profile picture as a phone shows it.
import type { FastifyInstance } from 'fastify'
import { sandboxRoutes as routes } from '../../src/contract/sandbox.ts'
import { Refusal } from '../model/refusal.ts'
import { pictureFor, pictureId } from '../network/pictures.ts'
import type { StateWithPhones } from '../phones/phone.ts'
import { call } from './call.ts'

export function pictureCalls(app: FastifyInstance, state: StateWithPhones): void {
  call(app, state, routes.sandboxGetPicture, async ({ params, query }, view, reply) => {
    const { account } = view.phone(params.number)
    const file = pictureFor(state.world, account, query.of ?? account.number)
    const size = file === undefined ? undefined : await state.media.sizeOf(file)
    const isRequested = file !== undefined && (query.id === undefined || query.id === pictureId(file))
    if (!isRequested || size === undefined)
      throw new Refusal('profile_picture_not_found', 'There is no such picture, or the phone cannot see it.')
    return reply
      .type('image/jpeg')
      .header('content-length', size)
      .send(state.media.stream(file, 0, size - 1))
  })
}
