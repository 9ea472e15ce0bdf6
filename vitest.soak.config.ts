import { defineConfig } from 'vitest/config'

/** The endurance tests in full, one after the other. `npm test` runs them briefly. */
export default defineConfig({
  test: {
    include: [
      'tests/serve/engine-agreement.test.ts',
      'tests/crash/crash.test.ts',
      'tests/fuzz/fuzz.test.ts',
      'tests/fairness/fairness.test.ts',
      'tests/import/microsoft-graph.soak.ts',
      'tests/third-party/cap.test.ts',
      'tests/third-party/odata2ts.soak.ts',
      'tests/third-party/sap.soak.ts',
      'tests/conformance/hostile-responses.test.ts',
      'tests/conformance/imported-services.test.ts',
      'tests/mutants/held-out.test.ts',
      'tests/strangers/strangers.test.ts',
      'tests/site/site.soak.ts',
    ],
    env: {
      ROUNDS: process.env['ROUNDS'] ?? '200',
      ATTACK_MINUTES: process.env['ATTACK_MINUTES'] ?? '5',
      REQUESTS: process.env['REQUESTS'] ?? '100000',
      STRANGERS_SAMPLED: process.env['STRANGERS_SAMPLED'] ?? '1000',
      STRANGER_RUNS: process.env['STRANGER_RUNS'] ?? '200',
      STRANGER_REQUESTS: process.env['STRANGER_REQUESTS'] ?? '2000',
      CAP_RUNS: process.env['CAP_RUNS'] ?? '10',
      IMPORTED_RUNS: process.env['IMPORTED_RUNS'] ?? '20',
      HELD_OUT_STEP: process.env['HELD_OUT_STEP'] ?? '1',
      HELD_OUT_REQUESTS: process.env['HELD_OUT_REQUESTS'] ?? '1500',
      HOSTILE_VALUES: process.env['HOSTILE_VALUES'] ?? '10000',
    },
    fileParallelism: false,
    testTimeout: 0,
    hookTimeout: 0,
    reporters: 'verbose',
  },
})
