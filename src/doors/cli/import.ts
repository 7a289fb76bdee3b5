// `import`: takes over sessions of other programs.
import type { SessionReport } from '../../app/maintenance.ts'
import { command, parseWholeNumber } from './command.ts'
import type { Context } from './context.ts'
import { escapeControls, table } from './print.ts'
import { UsageError } from './usage-error.ts'

const KINDS = ['baileys-folder', 'baileys-api', 'evolution']

const NEXT: Record<'ready' | 'imported', string> = {
  ready:
    'Nothing was changed. To import what is ready, stop the other program permanently and run the same command with --apply.',
  imported:
    'Start the server: the instances connect without a scan. Never start the other program with these sessions again: two programs with\n' +
    'one session replace each other, and use keys twice, so that contacts cannot read some messages.',
}

export const importCommand = command({
  name: 'import',
  summary: 'Take over sessions of other programs, without linking phones again',
  description:
    'Without --apply it only reports what is found, what would be taken and what not. With SQLite, stop the server before --apply.\n' +
    `Sources: ${KINDS.join(', ')}. docs/moving.md describes each. SOURCE - is read from standard input, and its\n` +
    'second line is the value of --keys.',
  parameters: ['SOURCE'],
  options: {
    from: { type: 'string', value: 'KIND', help: `The kind of source: ${KINDS.join(', ')}`, required: true },
    keys: {
      type: 'string',
      value: 'LOCATION',
      help: 'For evolution: the folder with the keys, or the URL of its Redis',
    },
    apply: { type: 'boolean', help: 'Import what was found' },
    account: { type: 'string', value: 'ID', help: 'The account that gets the instances; default: the first' },
    stopped: { type: 'boolean', help: 'The other program is stopped, although it looks as if it ran' },
  },
  async run(context, { from, apply, account, stopped, keys: givenKeys }, [given]) {
    if (!KINDS.includes(from)) throw new UsageError(`--from: expected ${KINDS.join(', ')}`)
    const accountId = account === undefined ? undefined : parseWholeNumber('account', account)
    const isApplied = apply === true
    // An address with a password does not have to be visible to other users of the machine.
    const lines = given === '-' ? (await context.read('-')).split('\n').map((line) => line.trim()) : [given]
    const [location = '', secondLine] = lines
    const keys = givenKeys ?? (secondLine || undefined)
    const { importSessions } = await import('../../app/maintenance.ts')
    const request = { from, location, keys, isApplied, accountId, isStopped: stopped === true }
    const sessions = await importSessions(context.settings(), request, progressTo(context))
    return {
      json: { applied: isApplied, sessions },
      text: [tableOf(sessions), ...leftLines(sessions), conclusion(sessions, isApplied)].join('\n\n'),
      hasProblems: sessions.length === 0 || sessions.some(({ outcome }) => outcome === 'refused'),
    }
  },
})

/** What has happened, and what to do next if there is something to do. */
function conclusion(sessions: readonly SessionReport[], isApplied: boolean): string {
  const wanted = isApplied ? 'imported' : 'ready'
  const refused = sessions.filter(({ outcome }) => outcome === 'refused').length
  const counts = `${sessions.length - refused} ${wanted}, ${refused} refused.`
  return sessions.length > refused ? `${counts} ${NEXT[wanted]}` : `${counts} Nothing was changed.`
}

const progressTo =
  ({ streams }: Context) =>
  ({ label, outcome }: SessionReport): void =>
    void streams.notes.write(`${escapeControls(label)}: ${outcome}\n`)

const tableOf = (sessions: readonly SessionReport[]): string =>
  table(
    ['session', 'result', 'number', 'profile', 'keys', 'also', 'instance'],
    sessions.map(({ label, outcome, reason, number, profileName, taken, belongings, instanceName }) => [
      label,
      reason === null ? outcome : `${outcome}: ${reason}`,
      number,
      profileName,
      Object.values(taken).reduce((sum, count) => sum + count, 0),
      Object.entries(belongings)
        .map(([what, count]) => (count === 1 ? what : `${count} ${what}`))
        .join(', '),
      instanceName,
    ]),
  )

/** One line per reason, with how much of how many sessions it concerns. */
function leftLines(sessions: readonly SessionReport[]): string[] {
  const all = new Map<string, { keys: number; sessions: number }>()
  for (const { left } of sessions)
    for (const [why, count] of Object.entries(left)) {
      const { keys, sessions: seen } = all.get(why) ?? { keys: 0, sessions: 0 }
      all.set(why, { keys: keys + count, sessions: seen + 1 })
    }
  if (all.size === 0) return []
  const lines = [...all].map(
    ([why, { keys, sessions: seen }]) => `  ${escapeControls(why)} (${keys} in ${seen} sessions)`,
  )
  return [`Not taken:\n${lines.join('\n')}`]
}
