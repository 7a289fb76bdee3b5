// The business profile of an instance: what its profile on the network has.
import { z } from 'zod'
import { type CloudContext, call, chosenFields, fieldsQuery, optionalText, PRODUCT, product } from './call.ts'
import { CloudError } from './errors.ts'

const BUSINESS_FIELDS = ['address', 'description', 'email', 'websites', 'vertical'] as const

/** Only business accounts have these fields; they are read as other people see them. */
async function readBusiness({ use, id }: CloudContext, number: string) {
  const { person } = await use('getPerson', { params: { number }, query: { instanceName: id } })
  const { business } = person
  if (!business) return {}
  const { address, description, email, websites, category } = business
  return {
    address: address ?? '',
    description: description ?? '',
    email: email ?? '',
    websites,
    vertical: category ?? 'UNDEFINED',
  }
}

export const getProfile = call({
  admission: 'getProfile',
  query: fieldsQuery,
  async handle(context, { query }) {
    const { profile } = await context.use('getProfile', { query: { instanceName: context.id } })
    const wants = new Set((query.fields ?? BUSINESS_FIELDS.join(',')).split(',').map((name) => name.trim()))
    const business = BUSINESS_FIELDS.some((name) => wants.has(name))
      ? await readBusiness(context, profile.number)
      : {}
    const shown = {
      messaging_product: PRODUCT,
      about: profile.about ?? '',
      ...(profile.profilePictureUrl !== null && { profile_picture_url: profile.profilePictureUrl }),
      ...business,
    }
    return { data: [chosenFields(shown, query.fields)] }
  },
})

/**
 * `profile_picture_handle` is the id of an uploaded file. The fields of business accounts can only be changed on the phone: next to fields that
 * can be changed they are ignored, because clients send the whole profile. Alone they are refused.
 */
export const updateProfile = call({
  admission: 'updateProfile',
  body: z.object({
    messaging_product: product,
    about: optionalText,
    profile_picture_handle: optionalText,
    address: optionalText,
    description: optionalText,
    email: optionalText,
    websites: z.array(z.string()).nullish(),
    vertical: optionalText,
  }),
  fields: { 'picture.mediaId': 'profile_picture_handle', picture: 'profile_picture_handle' },
  async handle({ use, id, noteIgnored }, { body }) {
    const { about, profile_picture_handle: mediaId } = body
    const fixed = BUSINESS_FIELDS.filter((name) => (body[name]?.length ?? 0) > 0)
    const changesNothing = (about ?? undefined) === undefined && !mediaId
    if (fixed[0] !== undefined && changesNothing)
      throw new CloudError(400, 131009, `${fixed[0]}: can only be changed in the app on the phone`)
    noteIgnored(fixed)
    await use('updateProfile', {
      query: { instanceName: id },
      body: {
        ...(about !== null && about !== undefined && { about }),
        ...(mediaId && { picture: { mediaId } }),
      },
    })
    return { success: true }
  },
})
