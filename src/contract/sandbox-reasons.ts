// The reasons that only the sandbox network uses, in addition to the catalogue, each with its status and sentence.

export const SANDBOX_REASONS = {
  operator_only: [403, 'Only the operator may change the network, because the change affects every account.'],
  phone_not_found: [404, 'No phone has this number.'],
  group_not_found: [404, 'There is no such group.'],
  media_not_found: [404, 'That message has no media.'],
  option_not_found: [404, 'The message has no such button, row or option.'],
  number_not_registered: [404, 'The number is not registered on the network.'],
  passkey_not_found: [404, 'The phone has no passkey.'],
  label_not_found: [404, 'The phone has no such label.'],
  call_not_found: [404, 'The phone has no such call.'],
  code_not_requested: [404, 'No client has requested a pairing code for this number.'],
  invite_not_found: [404, 'No group has this invite code.'],
  number_taken: [409, 'The phone with this number belongs to another account.'],
  qr_used: [409, 'The login code has already been used.'],
  wrong_code: [409, 'The pairing code is wrong.'],
  pairing_failed: [409, 'The client did not complete the pairing.'],
  call_over: [409, 'The call is over, or does not ring on this phone.'],
  not_a_business: [409, 'Only a phone with a business profile has labels.'],
  not_tappable: [409, 'That message has no button or list that can be tapped.'],
  not_a_poll: [409, 'That message is not a poll.'],
  not_own_message: [409, 'A phone can change only its own messages.'],
  not_a_member: [409, 'That phone is not in the group.'],
  not_an_admin: [409, 'Only an admin of the group can do that.'],
  already_a_member: [409, 'That person is already in the group.'],
  not_an_invitation: [409, 'That message is not an invitation to a group.'],
  qr_expired: [410, 'The login code is no longer valid.'],
  code_expired: [410, 'The pairing code is no longer valid.'],
  invite_expired: [410, 'The invitation is no longer valid.'],
  storage_full: [507, 'The disk of the sandbox network is full. The call had no effect.'],
} as const satisfies Record<string, readonly [status: number, sentence: string]>

export type SandboxReason = keyof typeof SANDBOX_REASONS
