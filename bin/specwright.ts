#!/usr/bin/env node
import { packageVersion } from './package-root.js'

// The build puts this module into one file, so that it can print the version, and report that the process may not open even
// the files of the program.
const [option, ...others] = process.argv.slice(2)
try {
  if (others.length === 0 && (option === '--version' || option === '-V')) {
    // The reader may close early, as with other commands.
    process.stdout.on('error', (error: NodeJS.ErrnoException) => {
      if (error.code !== 'EPIPE') process.exit(2)
    })
    process.stdout.write(`${packageVersion()}\n`)
  } else {
    const { main } = await import('./main.js')
    await main()
  }
} catch (error) {
  const code = error instanceof Error && 'code' in error ? error.code : undefined
  if (code !== 'EMFILE' && code !== 'ENFILE') throw error
  process.stderr.write('error: The process may not open more files. Raise the limit: ulimit -n 1024\n')
  process.exitCode = 2
}
