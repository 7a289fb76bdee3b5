#!/usr/bin/env node
// `switchboard-sandbox`: the sandbox network alone.
import { launch } from './launch.js'

launch('sandbox', process.argv.slice(2))
