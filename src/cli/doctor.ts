// `doctor`: looks at settings, store, disk, clock, network and server, and says what to do about what is wrong.
import { type Settings, SettingsError } from '../config.ts'
import type { Maintenance } from '../maintenance.ts'
import {
  checkAgainstDatabase,
  checkNotBehind,
  checkSteadiness,
  pastEvents,
  sampleClock,
} from './checks/clock.ts'
import { checkDisk } from './checks/disk.ts'
import { type Finding, messageOf, ok, wrong } from './checks/finding.ts'
import { checkNetwork } from './checks/network.ts'
import { checkServer } from './checks/server.ts'
import { checkStore } from './checks/store.ts'
import { command, type Output, SERVER_OPTIONS, UsageError } from './command.ts'
import type { Context } from './context.ts'
import { harmless } from './print.ts'

interface Patient {
  context: Context
  settings: Settings
  maintenance: Maintenance
}

const CHECKS: Record<string, (patient: Patient) => Promise<Finding[]>> = {
  store: ({ settings, maintenance }) => checkStore(settings, maintenance),
  disk: ({ settings }) => checkDisk(settings),
  clock: async ({ maintenance }) => [
    checkNotBehind(Date.now(), await pastEvents(maintenance)),
    ...(await checkAgainstDatabase(maintenance)),
  ],
  network: ({ settings }) => checkNetwork(settings),
  server: async ({ context }) =>
    checkServer(context.serverUrl(), context.anyone(), await context.account().catch(() => undefined)),
}

export const doctor = command({
  name: 'doctor',
  summary: 'Check settings, store, disk, clock, network and server, and say what to do',
  description: 'Works beside a running server. Exit code 1 where something is wrong.',
  parameters: [],
  options: {
    ...SERVER_OPTIONS,
    skip: {
      type: 'string',
      value: 'CHECK',
      multiple: true,
      help: `Leave out one of ${Object.keys(CHECKS).join(', ')}`,
    },
  },
  async run(context, { skip = [] }) {
    for (const name of skip) if (!(name in CHECKS)) throw new UsageError(`--skip: there is no check ${name}`)
    const started = sampleClock()
    let settings: Settings
    try {
      settings = context.settings()
    } catch (error) {
      return report(settingsFaults(error))
    }
    const findings = [ok('settings', 'are valid'), ...(await examine(context, settings, skip))]
    if (!skip.includes('clock')) findings.push(checkSteadiness(started, sampleClock()))
    return report(findings)
  },
})

async function examine(context: Context, settings: Settings, skip: readonly string[]): Promise<Finding[]> {
  const { createMaintenance } = await import('../maintenance.ts')
  const patient = { context, settings, maintenance: createMaintenance(settings, context.environment) }
  const results = await Promise.all(
    Object.entries(CHECKS)
      .filter(([name]) => !skip.includes(name))
      .map(([name, check]) =>
        // One check that breaks must not silence the others.
        check(patient).catch((error: unknown) => [
          wrong(name, messageOf(error), 'this check itself failed; please report it'),
        ]),
      ),
  )
  return results.flat()
}

function settingsFaults(error: unknown): Finding[] {
  if (!(error instanceof SettingsError)) throw error
  return error.faults.map((fault) =>
    wrong('settings', fault, 'correct the variable; docs/operating.md lists them all'),
  )
}

const MARKS = { ok: 'ok     ', warning: 'warning', wrong: 'WRONG  ' } as const

function report(findings: Finding[]): Output {
  const wrongs = findings.filter(({ status }) => status === 'wrong').length
  const lines = findings.map(({ check, status, found, todo }) => {
    const advice = todo === undefined ? '' : `\n         -> ${harmless(todo)}`
    return `${MARKS[status]}  ${check}: ${harmless(found)}${advice}`
  })
  const verdict =
    wrongs === 0 ? 'Nothing is wrong.' : `${wrongs} ${wrongs === 1 ? 'thing is' : 'things are'} wrong.`
  return { json: { ok: wrongs === 0, findings }, text: `${lines.join('\n')}\n\n${verdict}`, bad: wrongs > 0 }
}
