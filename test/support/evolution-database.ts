// A PostgreSQL database with the tables of Evolution API 2.3 that an import reads: the same names, columns and types.
import { createHash } from 'node:crypto'
import pg from 'pg'

const SCHEMA = 'evolution_api'

const TIMES = `"createdAt" timestamp default now(), "updatedAt" timestamp default now()`
const OF_INSTANCE = `"instanceId" text not null unique references "Instance"("id") on delete cascade`

const TABLES = [
  `create type "InstanceConnectionStatus" as enum ('open', 'close', 'connecting')`,
  `create table "Instance" ("id" text primary key, "name" varchar(255) not null unique,
     "connectionStatus" "InstanceConnectionStatus" not null default 'open', "ownerJid" varchar(100), "profileName" varchar(100),
     "profilePicUrl" varchar(500), "integration" varchar(100), "number" varchar(100), "businessId" varchar(100), "token" varchar(255),
     "clientName" varchar(100), "disconnectionReasonCode" integer, "disconnectionObject" jsonb, "disconnectionAt" timestamp, ${TIMES})`,
  `create table "Session" ("id" text primary key, "sessionId" text not null unique references "Instance"("id") on delete cascade,
     "creds" text, "createdAt" timestamp not null default now())`,
  `create table "Contact" ("id" text primary key, "remoteJid" varchar(100) not null, "pushName" varchar(100),
     "profilePicUrl" varchar(500), ${TIMES}, "instanceId" text not null references "Instance"("id") on delete cascade,
     unique ("remoteJid", "instanceId"))`,
  `create table "Webhook" ("id" text primary key, "url" varchar(500) not null, "headers" jsonb, "enabled" boolean default true,
     "events" jsonb, "webhookByEvents" boolean default false, "webhookBase64" boolean default false, ${TIMES}, ${OF_INSTANCE})`,
  `create table "Proxy" ("id" text primary key, "enabled" boolean not null default false, "host" varchar(100) not null,
     "port" varchar(100) not null, "protocol" varchar(100) not null, "username" varchar(100) not null,
     "password" varchar(100) not null, ${TIMES}, ${OF_INSTANCE})`,
  `create table "Setting" ("id" text primary key, "rejectCall" boolean not null default false, "msgCall" varchar(100),
     "groupsIgnore" boolean not null default false, "alwaysOnline" boolean not null default false,
     "readMessages" boolean not null default false, "readStatus" boolean not null default false,
     "syncFullHistory" boolean not null default false, "wavoipToken" varchar(100), ${TIMES}, ${OF_INSTANCE})`,
]

type Cell = string | number | boolean | null | object

export interface EvolutionDatabase {
  /** As its program would write it. */
  url: string
  add(table: string, row: Record<string, Cell>): Promise<void>
  /** Ends the connection of this object, which an import would take for the other program. */
  disconnect(): Promise<void>
}

export async function createEvolutionDatabase(databaseUrl: string): Promise<EvolutionDatabase> {
  const client = new pg.Client({ connectionString: databaseUrl })
  await client.connect()
  await client.query(`create schema ${SCHEMA}`)
  await client.query(`set search_path to ${SCHEMA}`)
  for (const table of TABLES) await client.query(table)
  return {
    url: `${databaseUrl.replace(/^postgres:/, 'postgresql:')}?schema=${SCHEMA}&connection_limit=5`,
    async add(table, row) {
      const cells = { id: cuid(`${table}${JSON.stringify(row)}`), ...row }
      const names = Object.keys(cells).map((name) => `"${name}"`)
      const values = Object.values(cells).map((value) =>
        typeof value === 'object' && value !== null ? JSON.stringify(value) : value,
      )
      const parameters = values.map((_value, index) => `$${index + 1}`)
      await client.query(`insert into "${table}" (${names.join()}) values (${parameters.join()})`, values)
    },
    disconnect: () => client.end(),
  }
}

/** In the form of Prisma's ids. */
const cuid = (text: string): string => `c${createHash('sha256').update(text).digest('hex').slice(0, 24)}`
