// The CPU time of test files. As a reporter of the test runner it is in the process of the tests, if these run without isolation of files.
// For each test at the top of a file it prints a line: the seconds since the line before it, and the file. Those before the first one are
// the time to load the files.
import { readFileSync } from 'node:fs'
import { relative } from 'node:path'
import type { TestEvent } from 'node:test/reporters'

/** The time of this process, and of those that it has started and that have ended. Only Linux knows the latter. */
export function cpuSeconds(): number {
  if (process.platform !== 'linux') {
    const { user, system } = process.cpuUsage()
    return (user + system) / 1_000_000
  }
  const stat = readFileSync('/proc/self/stat', 'utf8')
  // The name of the program may contain spaces. Behind it: user and system time are fields 12 and 13, those of ended children 14 and 15.
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
  return fields.slice(11, 15).reduce((sum, ticks) => sum + Number(ticks), 0) / 100
}

/** The lines of this reporter. A file with several tests at its top is there several times. */
export const readTimes = (text: string): { file: string; seconds: number }[] =>
  text
    .split('\n')
    .slice(0, -1)
    .map((line) => {
      const end = line.indexOf(' ')
      return { file: line.slice(end + 1), seconds: Number(line.slice(0, end)) }
    })

export default async function* reportTimes(events: AsyncIterable<TestEvent>): AsyncGenerator<string> {
  let counted = 0
  for await (const { type, data } of events) {
    const isFirst = counted === 0 && type === 'test:dequeue'
    if (!isFirst && (type !== 'test:complete' || data.nesting > 0)) continue
    const now = cpuSeconds()
    const file = relative(process.cwd(), data.file ?? '')
    // A test that a function of another file declares has the place of that function.
    const shown = file.includes('.test.') ? file : `${file}: ${data.name}`
    yield `${(now - counted).toFixed(2)} ${isFirst ? '' : shown}\n`
    counted = now
  }
}
