// The account of an instance as a person of events. The row of the instance has identifiers without their server.
import { lidJid, personJid } from '../network/jid.ts'

/** As the row of the instance has it. */
export interface OwnAccountRow {
  number: string | null
  lid: string | null
  profile_name: string | null
}

export const ownPerson = ({ number, lid, profile_name }: OwnAccountRow) => ({
  jid: number === null && lid !== null ? lidJid(lid) : personJid(number ?? ''),
  lid: lid === null ? null : lidJid(lid),
  phone: number,
  pushName: profile_name,
})
