// `serve`: runs the server, as `npm start` does.
import { command } from './command.ts'

export const serve = command({
  name: 'serve',
  summary: 'Run the server',
  description: 'Settings are environment variables; docs/settings.md lists them.',
  parameters: [],
  options: {},
  async run({ environment }) {
    // Imported here, so that other commands do not load the server.
    await (await import('../../serve.ts')).serve(environment)
    return undefined
  },
})
