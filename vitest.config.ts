import { existsSync } from 'node:fs'
import { availableParallelism } from 'node:os'
import { configDefaults, defineConfig } from 'vitest/config'

// `npm ci` does not install Prisma, which has 300 MB. CI requires it.
const hasPrisma = existsSync('node_modules/@prisma/client') || process.env['PRISMA'] === 'required'
if (!hasPrisma)
  process.stderr.write('The tests of examples/database-prisma do not run: npm run prisma installs Prisma.\n')

export default defineConfig({
  test: {
    include: [
      '{bin,spec,generator,runtime,generated,reference,sql,conformance,tests}/**/*.test.ts',
      'examples/*/test/**/*.test.ts',
    ],
    exclude: [...configDefaults.exclude, ...(hasPrisma ? [] : ['examples/database-prisma/**'])],
    globalSetup: ['tests/current-templates.ts', 'reference/testing/shared-postgres.ts'],
    // One worker more than cores, because some tests wait for processes that they start. The default leaves one core free,
    // which is half of a small machine.
    maxWorkers: availableParallelism() + 1,
    // A garbage collector with one thread needs a tenth less processor time, and the workers need all cores. Most objects of a
    // test die young: with more space for them from the start, the collector copies fewer. More than 16 MB would end the
    // process where a worker thread reaches its heap limit (reference/readers): Node.js gives the thread 16 MB more to end.
    execArgv: ['--single-threaded-gc', '--min-semi-space-size=16', '--max-semi-space-size=16'],
    // Test files of a worker share its modules, which saves a third of the time. No module keeps state that a test has set.
    isolate: false,
    // Ends only a test that hangs: no test takes this long, even on a machine that is ten times overloaded.
    testTimeout: 1_800_000,
    hookTimeout: 1_800_000,
  },
})
