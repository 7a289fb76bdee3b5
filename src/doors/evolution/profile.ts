// Profiles in the dialect: those of people, and that of the instance with its privacy settings.
import { z } from 'zod'
import type { AnswerOf, CallerInput } from '../../contract/route.ts'
import type { Routes } from '../../contract/routes.ts'
import { addressOf, personOf } from './addresses.ts'
import { type CallContext, call, optionalText, text } from './call.ts'
import { requireMedia } from './files.ts'

type Person = AnswerOf<Routes['getPerson']>['person']

const readPerson = async ({ use, instanceName }: CallContext, number: string): Promise<Person> =>
  (await use('getPerson', { params: { number: personOf(number) }, query: { instanceName } })).person

const about = (status: string | null, setAt: string | null) => ({ status: status ?? '', setAt })

export const fetchProfile = call({
  admission: 'getPerson',
  status: 200,
  body: z.object({ number: optionalText }),
  async handle(context, { body }) {
    if (!body.number) return ownProfile(context)
    const person = await readPerson(context, body.number)
    const { business } = person
    return {
      wuid: person.jid,
      name: person.username,
      numberExists: person.isRegistered,
      picture: person.profilePictureUrl,
      status: about(person.about, person.aboutSetAt),
      isBusiness: business !== null,
      email: business?.email ?? null,
      description: business?.description ?? null,
      website: business?.websites[0] ?? null,
    }
  },
})

async function ownProfile({ use, instanceName }: CallContext) {
  const { profile } = await use('getProfile', { query: { instanceName } })
  return {
    wuid: profile.jid,
    name: profile.name,
    numberExists: true,
    picture: profile.profilePictureUrl,
    status: about(profile.about, profile.aboutSetAt),
    isBusiness: false,
    email: null,
    description: null,
    website: null,
  }
}

export const fetchProfilePictureUrl = call({
  admission: 'getPerson',
  status: 200,
  body: z.object({ number: text }),
  async handle(context, { body }) {
    const { use, instanceName } = context
    const address = addressOf(body.number)
    if ('groupJid' in address) {
      const { group } = await use('getGroup', { params: address, query: { instanceName } })
      return { wuid: group.groupJid, profilePictureUrl: group.profilePictureUrl }
    }
    const person = await readPerson(context, body.number)
    return { wuid: person.jid, profilePictureUrl: person.profilePictureUrl }
  },
})

export const fetchBusinessProfile = call({
  admission: 'getPerson',
  status: 200,
  body: z.object({ number: text }),
  async handle(context, { body }) {
    const { jid, business } = await readPerson(context, body.number)
    if (!business) return { isBusiness: false, message: 'Not is business profile' }
    const { description, category, address, email, websites } = business
    return { isBusiness: true, wid: jid, description, category, address, email, website: websites }
  },
})

type Change = CallerInput<Routes['updateProfile']>['body']

async function change({ use, instanceName }: CallContext, body: Change) {
  const { profile } = await use('updateProfile', { query: { instanceName }, body })
  return { update: 'success', profile }
}

const updated = async (context: CallContext, body: Change) => {
  const { update } = await change(context, body)
  return { update }
}

export const updateProfileName = call({
  admission: 'updateProfile',
  status: 200,
  body: z.object({ name: text }),
  handle: (context, { body }) => updated(context, { name: body.name }),
})

export const updateProfileStatus = call({
  admission: 'updateProfile',
  status: 200,
  body: z.object({ status: text }),
  fields: { about: 'status' },
  handle: (context, { body }) => updated(context, { about: body.status }),
})

export const updateProfilePicture = call({
  admission: 'updateProfile',
  status: 200,
  fileField: 'picture',
  body: z.object({ picture: optionalText }),
  fields: { 'picture.mediaUrl': 'picture', 'picture.mediaId': 'picture' },
  async handle(context, { body }) {
    const picture = await requireMedia(context, { field: 'picture', value: body.picture })
    return updated(context, { picture })
  },
})

export const removeProfilePicture = call({
  admission: 'updateProfile',
  status: 200,
  handle: (context) => updated(context, { picture: null }),
})

type Privacy = AnswerOf<Routes['getProfile']>['profile']['privacy']

const shownPrivacy = (privacy: Privacy) => ({
  readreceipts: privacy.readReceipts,
  profile: privacy.profilePicture,
  status: privacy.about,
  online: privacy.online,
  last: privacy.lastSeen,
  groupadd: privacy.groupAdd,
})

export const fetchPrivacySettings = call({
  admission: 'getProfile',
  status: 200,
  async handle({ use, instanceName }) {
    const { profile } = await use('getProfile', { query: { instanceName } })
    return shownPrivacy(profile.privacy)
  },
})

const AUDIENCE = z.enum(['all', 'contacts', 'contact_blacklist', 'none'])

export const updatePrivacySettings = call({
  admission: 'updateProfile',
  status: 201,
  body: z.object({
    readreceipts: z.enum(['all', 'none']),
    profile: AUDIENCE,
    status: AUDIENCE,
    online: z.enum(['all', 'match_last_seen']),
    last: AUDIENCE,
    groupadd: AUDIENCE.exclude(['none']),
  }),
  async handle(context, { body }) {
    const privacy = {
      readReceipts: body.readreceipts,
      profilePicture: body.profile,
      about: body.status,
      online: body.online,
      lastSeen: body.last,
      groupAdd: body.groupadd,
    }
    // The declared input of these fields is narrower than what the schema takes.
    const { update, profile } = await change(context, { privacy: privacy as unknown as Change['privacy'] })
    return { update, data: shownPrivacy(profile.privacy) }
  },
})
