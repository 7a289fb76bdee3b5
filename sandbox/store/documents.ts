// Accounts, devices, groups and settings as JSON documents. They are read at start and written when they change.
import { BufferJSON } from 'baileys'
import type { Account, Device, Group } from '../model/world.ts'
import type { Database } from './database.ts'

interface Row {
  document: string
}

type AddedToAccounts = 'aboutAt' | 'preview' | 'disappearing' | 'business' | 'labels' | 'passkey'
type StoredAccount = Omit<Account, 'devices' | AddedToAccounts>
type AddedToGroups =
  | 'memberAddMode'
  | 'joinApproval'
  | 'requests'
  | 'invitations'
  | 'revokedCodes'
  | 'preview'
type StoredGroup = Omit<Group, AddedToGroups>

export function toDocument(value: unknown): string {
  return JSON.stringify(value, BufferJSON.replacer)
}

export function fromDocument(document: string): unknown {
  return JSON.parse(document, BufferJSON.reviver)
}

export function readSetting(database: Database, name: string): unknown {
  const [row] = database.rows<{ value: string }>('SELECT value FROM settings WHERE name = ?', name)
  return row && fromDocument(row.value)
}

export function writeSetting(database: Database, name: string, value: unknown): void {
  database.write('INSERT OR REPLACE INTO settings (name, value) VALUES (?, ?)', name, toDocument(value))
}

export function readAccounts(database: Database): Account[] {
  return database.rows<Row>('SELECT document FROM accounts').map((row) =>
    Object.assign(laterAccountFields(), fromDocument(row.document) as StoredAccount, {
      devices: new Map(),
    }),
  )
}

/** The fields that documents of earlier versions lack. */
function laterAccountFields(): Pick<Account, AddedToAccounts> {
  return {
    aboutAt: 0,
    preview: null,
    disappearing: { seconds: 0, at: 0 },
    business: null,
    labels: {},
    passkey: null,
  }
}

export function writeAccount(database: Database, account: Account): void {
  const { devices: _devices, ...document } = account
  database.write(
    'INSERT OR REPLACE INTO accounts (number, document) VALUES (?, ?)',
    account.number,
    toDocument(document),
  )
}

export function readDevices(database: Database): Device[] {
  return database.rows<Row>('SELECT document FROM devices').map((row) => fromDocument(row.document) as Device)
}

export function writeDevice(database: Database, device: Device): void {
  database.write(
    'INSERT OR REPLACE INTO devices (number, id, document) VALUES (?, ?, ?)',
    device.number,
    device.id,
    toDocument(device),
  )
}

/** Removes a device with its pre-keys and its queue. */
export function removeDevice(database: Database, device: Device): void {
  for (const sql of [
    'DELETE FROM devices WHERE number = ? AND id = ?',
    'DELETE FROM pre_keys WHERE number = ? AND device = ?',
    'DELETE FROM queue WHERE number = ? AND device = ?',
  ])
    database.write(sql, device.number, device.id)
}

export function readGroups(database: Database): Group[] {
  return database
    .rows<Row>('SELECT document FROM groups')
    .map((row) => Object.assign(laterGroupFields(), fromDocument(row.document) as StoredGroup))
}

/** In groups of earlier versions only admins could add members. */
function laterGroupFields(): Pick<Group, AddedToGroups> {
  return {
    memberAddMode: 'admin_add',
    joinApproval: false,
    requests: {},
    invitations: {},
    revokedCodes: [],
    preview: null,
  }
}

export function writeGroup(database: Database, group: Group): void {
  database.write('INSERT OR REPLACE INTO groups (jid, document) VALUES (?, ?)', group.jid, toDocument(group))
}
