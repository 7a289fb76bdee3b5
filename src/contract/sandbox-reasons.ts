// The refusals that only the sandbox network gives, beside those of the catalogue: each with its status and its sentence.

export const SANDBOX_REASONS = {
  phone_not_found: [404, 'No phone has this number.'],
  group_not_found: [404, 'There is no such group.'],
  media_not_found: [404, 'That message carries no media.'],
  option_not_found: [404, 'The message has no such button, row or option.'],
  number_not_registered: [404, 'The number is not registered on the network.'],
  code_not_requested: [404, 'No client asked this phone for a pairing code.'],
  qr_used: [409, 'The login code was used already.'],
  wrong_code: [409, 'The pairing code is wrong.'],
  pairing_failed: [409, 'The client did not complete the pairing.'],
  not_tappable: [409, 'There is nothing to tap on that message.'],
  not_a_poll: [409, 'That message is no poll.'],
  not_own_message: [409, 'Only an own message can be changed.'],
  not_a_member: [409, 'That phone is not in the group.'],
  not_an_admin: [409, 'Only an admin of the group can do that.'],
  qr_expired: [410, 'The login code is no longer valid.'],
  code_expired: [410, 'The pairing code is no longer valid.'],
} as const satisfies Record<string, readonly [status: number, sentence: string]>

export type SandboxReason = keyof typeof SANDBOX_REASONS
