// `live-check`: a guided trial with a real phone, with a report that contains no private data.

import { open } from 'node:fs/promises'
import { resolve } from 'node:path'
import { wallClock } from '../../kernel/async/clock.ts'
import { commandLine } from '../../kernel/process/command-line.ts'
import { command, type Output, SERVER_OPTIONS } from './command.ts'
import type { Conducted } from './live-check/check.ts'
import { hasProblem } from './live-check/findings.ts'
import type { Answers } from './live-check/interview.ts'
import { UsageError } from './usage-error.ts'

export const liveCheck = command({
  name: 'live-check',
  summary: 'Try the gateway with a real phone, guided by questions, and write a report without private data',
  description: `Needs a running server. Links a phone, sends every kind of message to a number that you name, and asks what
the phone shows; receives, reconnects and restarts. Ctrl-C ends it and writes what is known by then.
Exit code 1 if a check failed, or if not all were made.`,
  parameters: [],
  options: {
    ...SERVER_OPTIONS,
    report: {
      type: 'string',
      value: 'FILE',
      help: 'Where the report is written; default: live-check-<time>.md',
    },
    answers: {
      type: 'string',
      value: 'FILE',
      help: 'JSON object with answers by question, instead of questions at the terminal; - reads standard input',
    },
  },
  async run(context, { report, answers }) {
    const given = answers === undefined ? undefined : answersOf(await context.readJson(answers))
    const account = await context.account()
    const time = new Date(wallClock()).toISOString().slice(0, 19).replaceAll(':', '')
    const path = resolve(report ?? `live-check-${time}.md`)
    const file = await createReport(path)
    try {
      const { conductCheck } = await import('./live-check/check.ts')
      const parts = { account, system: context.anonymous(), answers: given, report: file }
      return outputOf(await conductCheck(parts), path)
    } finally {
      await file.close()
    }
  },
})

const outputOf = ({ findings, leftInstance }: Conducted, report: string): Output => ({
  json: { ...findings, report },
  text: [
    `The report is in ${report}. Read it, complete the notes, and attach it to an issue.`,
    ...leftText(leftInstance),
  ].join('\n'),
  hasProblems: findings.isInterrupted || findings.checks.some(hasProblem),
})

const leftText = (instanceName: string | undefined): string[] =>
  instanceName === undefined
    ? []
    : [
        'The instance still exists. To remove it:',
        `  ${commandLine(`instances logout ${instanceName}`)}`,
        `  ${commandLine(`instances delete ${instanceName}`)}`,
      ]

/** Before the check, so that ten minutes of answers are not lost because of a wrong path. An existing file is kept. */
async function createReport(path: string) {
  try {
    return await open(path, 'wx', 0o600)
  } catch (error) {
    throw new UsageError(`${path}: cannot be written (${(error as NodeJS.ErrnoException).code})`, error)
  }
}

function answersOf(content: Record<string, unknown>): Answers {
  const wrong = Object.entries(content).find(([, answer]) => typeof answer !== 'string')
  if (wrong) throw new UsageError(`--answers: ${wrong[0]}: expected text`)
  return content as Answers
}
