// The address book of a phone, whose names reach its linked devices through app state.
import { chatModificationToAppPatch } from 'baileys'
import { lidJid, pnJid } from '../model/address.ts'
import type { Account } from '../model/world.ts'
import type { RoutingState } from '../network/sandbox-state.ts'
import { pushChange } from './app-state.ts'
import type { Phone } from './phone.ts'

export function saveContact(state: RoutingState, phone: Phone, person: Account, name: string): Promise<void> {
  const contact = {
    fullName: name,
    firstName: name.split(' ')[0] ?? name,
    lidJid: lidJid(person),
    saveOnPrimaryAddressbook: true,
  }
  return pushChange(state, phone, chatModificationToAppPatch({ contact }, pnJid(person)))
}
