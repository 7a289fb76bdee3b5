// The profile of an instance: name, about text, picture and privacy settings.
import { z } from 'zod'
import { instanceName, plainText, success, timestamp } from './fields.ts'
import { mediaId } from './media.ts'
import { endpoint } from './route.ts'
import { DISAPPEARING_SECONDS } from './values.ts'

const AUDIENCE = ['all', 'contacts', 'contact_blacklist', 'none'] as const

/** The values that the network accepts. */
export const PRIVACY = {
  lastSeen: AUDIENCE,
  online: ['all', 'match_last_seen'],
  profilePicture: AUDIENCE,
  about: AUDIENCE,
  readReceipts: ['all', 'none'],
  groupAdd: ['all', 'contacts', 'contact_blacklist'],
  calls: ['all', 'known'],
  messages: ['all', 'contacts'],
} as const
export type PrivacyName = keyof typeof PRIVACY
export const PRIVACY_NAMES = Object.keys(PRIVACY) as PrivacyName[]

const MEANINGS: Record<PrivacyName, string> = {
  lastSeen: 'Who sees when the account was last online',
  online: 'Who sees that the account is online',
  profilePicture: 'Who sees the picture',
  about: 'Who sees the about text',
  readReceipts: '`none`: read receipts are neither sent nor received',
  groupAdd: 'Who may add the account to groups',
  calls: '`known`: unknown callers are silenced',
  messages: 'Who may write to the account',
}

const shownPrivacy = z
  .object(
    Object.fromEntries(
      PRIVACY_NAMES.map((name) => [
        name,
        z
          .string()
          .nullable()
          .meta({ description: `${MEANINGS[name]}; null: the network does not say` }),
      ]),
    ) as Record<PrivacyName, z.ZodNullable<z.ZodString>>,
  )
  .extend({
    defaultDisappearingSeconds: z
      .int()
      .nullable()
      .meta({ description: 'How long messages of new chats stay; 0: they do not disappear' }),
    linkPreviews: z.boolean().nullable().meta({
      description:
        'Whether phones and clients create previews of links; null until it was set or changed once',
    }),
  })
  .meta({ id: 'Privacy' })

type PrivacyFields = {
  [K in PrivacyName]: z.ZodOptional<z.ZodEnum<Record<(typeof PRIVACY)[K][number], never>>>
}

const privacyChange = z
  .strictObject({
    ...(Object.fromEntries(
      PRIVACY_NAMES.map((name) => [
        name,
        z.enum(PRIVACY[name]).optional().meta({ description: MEANINGS[name] }),
      ]),
    ) as unknown as PrivacyFields),
    defaultDisappearingSeconds: z.literal(DISAPPEARING_SECONDS).optional(),
    linkPreviews: z.boolean().optional(),
  })
  .refine((fields) => Object.values(fields).some((value) => value !== undefined), {
    error: 'expected at least one field',
  })
  .meta({ id: 'UpdatePrivacy' })

const Profile = z
  .object({
    number: z.string(),
    jid: z.string(),
    lid: z.string().nullable(),
    name: z.string().nullable(),
    about: z.string().nullable(),
    aboutSetAt: timestamp.nullable(),
    profilePictureUrl: z.string().nullable().meta({
      description:
        'URL of the picture on this gateway (`GET /instance/profile-picture`); null if there is none',
    }),
    privacy: shownPrivacy,
  })
  .meta({ id: 'Profile' })

const common = { tag: 'Profile', live: true, query: z.strictObject({ instanceName }) } as const
const LIVE = [
  'instance_not_found',
  'instance_not_connected',
  'refused_by_network',
  'network_timeout',
] as const
/** A change is not repeated if its answer is lost between two nodes. */
const CHANGING = [...LIVE, 'outcome_unknown', 'phone_keys_missing'] as const
const OneProfile = z.object({ success, profile: Profile })

export const getProfile = endpoint({
  ...common,
  summary: 'Read your profile and its privacy settings from the network',
  answer: OneProfile,
  reasons: LIVE,
})

const picture = z
  .union([z.strictObject({ mediaUrl: z.string().min(1).max(2048) }), z.strictObject({ mediaId }), z.null()], {
    error: 'expected {"mediaUrl": …}, {"mediaId": …} or null',
  })
  .meta({
    description:
      'A JPEG or PNG of at most 5 MB: at a URL, or an uploaded file (`POST /media`). Null removes it',
    examples: [{ mediaUrl: 'https://example.com/logo.png' }],
  })

export const updateProfile = endpoint({
  ...common,
  summary: 'Change your profile and its privacy settings; omitted fields stay unchanged',
  description:
    'The changes are made one after the other: picture, name, about, privacy. If the network refuses one, those before it stay, ' +
    'and the error names the refusal.',
  body: z
    .strictObject({
      name: plainText(1, 25)
        .refine((name) => name.trim() !== '', { error: 'must not be blank' })
        .optional()
        .meta({ description: 'The name that other people see', examples: ['Support'] }),
      about: plainText(0, 139).optional().meta({ description: 'An empty text removes it' }),
      picture: picture.optional(),
      privacy: privacyChange.optional(),
    })
    .refine((body) => Object.values(body).some((value) => value !== undefined), {
      error: 'expected at least one field',
    })
    .meta({
      id: 'UpdateProfile',
      examples: [{ about: 'Monday to Friday, 9 to 5', privacy: { lastSeen: 'none' } }],
    }),
  answer: OneProfile,
  reasons: [...CHANGING, 'url_not_allowed', 'media_not_found'],
})
