import { availableParallelism } from 'node:os'
import { defineConfig } from 'vitest/config'

export default defineConfig({
  test: {
    include: [
      '{bin,spec,generator,runtime,generated,reference,conformance,tests}/**/*.test.ts',
      'examples/*/test/**/*.test.ts',
    ],
    // One worker for each core: the default leaves a core to a watching editor, half of a small machine.
    maxWorkers: availableParallelism(),
    // Test files of a worker share its modules, loaded and optimised once: a third less time. No module keeps what a test set.
    isolate: false,
    testTimeout: 60_000,
    hookTimeout: 60_000,
  },
})
