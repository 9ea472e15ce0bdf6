#!/usr/bin/env node
import { bugReport } from './bug-report.js'
import { exitCode } from './exit-code.js'
import { packageVersion } from './package-root.js'
import { processTerminal } from './terminal.js'

const version = packageVersion()
const args = process.argv.slice(2)

// A reader that closes early (`specwright export … | head`) is no failure.
process.stdout.on('error', error => {
  if ('code' in error && error.code === 'EPIPE') process.exit(exitCode.done)
  throw error
})

if (args.length === 1 && (args[0] === '--version' || args[0] === '-V')) {
  // Answered before anything is loaded.
  process.stdout.write(`${version}\n`)
} else {
  try {
    const { run } = await import('./run.js')
    process.exitCode = await run(args, processTerminal(), version)
  } catch (error) {
    process.stderr.write(`${bugReport(error, version)}\n`)
    process.exitCode = exitCode.bug
  }
}
