#!/usr/bin/env node
// Imports nothing, so that it can report that the process may not open even the files of the program.
try {
  const { main } = await import('./main.js')
  await main()
} catch (error) {
  const code = error instanceof Error && 'code' in error ? error.code : undefined
  if (code !== 'EMFILE' && code !== 'ENFILE') throw error
  process.stderr.write('error: The process may not open more files. Raise the limit: ulimit -n 1024\n')
  process.exitCode = 2
}
