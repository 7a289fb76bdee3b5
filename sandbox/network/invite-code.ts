// Random codes of invitations.
import { randomInt } from 'node:crypto'

const CHARACTERS = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz'
/** The length of the code in an invite link. */
const LINK_LENGTH = 22

export function newInviteCode(): string {
  return Array.from({ length: LINK_LENGTH }, () => CHARACTERS[randomInt(CHARACTERS.length)]).join('')
}
