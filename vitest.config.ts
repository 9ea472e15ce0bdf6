import { defineConfig } from 'vitest/config'

export default defineConfig({
  test: {
    include: [
      '{bin,spec,generator,runtime,generated,reference,conformance,tests}/**/*.test.ts',
      'examples/*/test/**/*.test.ts',
    ],
    testTimeout: 60_000,
    hookTimeout: 60_000,
  },
})
