// How many statements and commits does a message cost on PostgreSQL? The server counts them, checks of foreign keys included. Messages
// follow each other one by one, so that none shares a commit with another. What the gateway does while it is idle is subtracted.
// Starts a PostgreSQL server of its own, because the count needs a library that is loaded at the start of the server.
import { setTimeout as pause } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import { startOwnPostgres } from '../test/cluster/support/own-postgres.ts'
import { openDatabase } from '../test/support/database.ts'
import { APART_MS, busyAndIdle, withMessagesAlone } from './messages-alone.ts'
import { atMost, report } from './report.ts'
import { onStageAt, type Stage } from './stage.ts'

const { values } = parseArgs({
  options: {
    messages: { type: 'string', default: '20' },
    /** Prints the statements of each kind of message, the most frequent first. */
    list: { type: 'boolean', default: false },
  },
})
const MESSAGES = Number(values.messages)
/** The server writes its counts with this delay. */
const COUNTED_AFTER_MS = 2500
const LISTED = 40
const WANTED = { statements: 25, commits: 5 }

interface Counts {
  statements: number
  commits: number
  byText: Map<string, number>
}

/** A statement outside of a transaction has no commit of its own here. */
const COMMIT = 'commit'
/** The bench itself reads the database with these words. */
const OWN = ['pg_stat', ' as found', 'pg_catalog']
const IS_OWN = OWN.map((words) => `query like '%${words}%'`).join(' or ')
const COUNTED = `select query, sum(calls) as calls from pg_stat_statements where not (${IS_OWN}) group by query`

async function countsDuring(stage: Stage, work: () => Promise<void>): Promise<Counts> {
  const database = await openDatabase(stage.storeLocation)
  try {
    await pause(COUNTED_AFTER_MS)
    await database.rows('select pg_stat_statements_reset()')
    await work()
    await pause(COUNTED_AFTER_MS)
    const rows = await database.rows<{ query: string; calls: string }>(COUNTED)
    const byText = new Map(rows.map(({ query, calls }) => [query, Number(calls)]))
    const statements = [...byText.values()].reduce((sum, calls) => sum + calls, 0)
    return { statements, commits: byText.get(COMMIT) ?? 0, byText }
  } finally {
    await database.close()
  }
}

/** Of one message, without what an idle gateway does in the same time. */
async function perMessage(stage: Stage, one: () => Promise<void>): Promise<Counts> {
  const { busy, idle } = await busyAndIdle({ messages: MESSAGES, apartMs: APART_MS }, one, (work) =>
    countsDuring(stage, work),
  )
  const byText = new Map(
    [...busy.byText].map(([text, calls]) => [text, (calls - (idle.byText.get(text) ?? 0)) / MESSAGES]),
  )
  return {
    statements: (busy.statements - idle.statements) / MESSAGES,
    commits: (busy.commits - idle.commits) / MESSAGES,
    byText,
  }
}

function show(question: string, { statements, commits, byText }: Counts): void {
  const what = `postgres, one ${question} at a time`
  report({
    question: `${what}: statements per message`,
    value: statements,
    unit: '',
    wanted: atMost(statements, WANTED.statements),
  })
  report({
    question: `${what}: commits per message`,
    value: commits,
    unit: '',
    wanted: atMost(commits, WANTED.commits),
  })
  if (!values.list) return
  const sorted = [...byText].filter(([, calls]) => calls >= 0.1).toSorted((a, b) => b[1] - a[1])
  for (const [text, calls] of sorted.slice(0, LISTED))
    console.log(`  ${calls.toFixed(2)}  ${text.replaceAll(/\s+/g, ' ').slice(0, 150)}`)
}

const server = await startOwnPostgres({
  shared_preload_libraries: 'pg_stat_statements',
  'pg_stat_statements.track': 'all',
})
try {
  await onStageAt(server.storeLocation, async (stage) => {
    const database = await openDatabase(stage.storeLocation)
    await database.rows('create extension pg_stat_statements')
    await database.close()
    await withMessagesAlone(stage, async ({ receive, send }) => {
      show('received message', await perMessage(stage, receive))
      show('sent message', await perMessage(stage, send))
    })
  })
} finally {
  await server.stop()
}
