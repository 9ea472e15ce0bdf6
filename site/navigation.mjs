// What the site shows where: by task first, then for reference.

const examples = [
  ['Client in a browser', 'browser-vite'],
  ['Client in Node.js', 'node-client'],
  ['Client on workers', 'worker-client'],
  ['Server on node:http', 'server-node-http'],
  ['Server in Express', 'server-express'],
  ['Server in Fastify', 'server-fastify'],
  ['Server in Hono', 'server-hono'],
  ['Own tables with Kysely or pg', 'database-kysely'],
  ['Own tables with Drizzle', 'database-drizzle'],
  ['Own tables with Prisma', 'database-prisma'],
  ['Conformance in Vitest', 'conformance-in-vitest'],
  ['The whole service behind MSW', 'mock-service-msw'],
  ['Other OpenAPI generators', 'openapi-generators'],
].map(([text, name]) => ({ text, link: `/examples/${name}` }))

export const nav = [
  { text: 'Tutorial', link: '/tutorial' },
  { text: 'Playground', link: '/playground' },
  {
    text: 'Reference',
    items: [
      { text: 'Spec language', link: '/spec-language' },
      { text: 'Query language', link: '/query-language' },
      { text: 'Command line', link: '/command-line' },
      { text: 'Conformance rules', link: '/rules' },
    ],
  },
]

// No group can be collapsed: the theme then nests a button in a button, which screen readers cannot follow.
export const sidebar = [
  {
    text: 'Start',
    items: [
      { text: 'Overview', link: '/' },
      { text: 'Tutorial', link: '/tutorial' },
      { text: 'Playground', link: '/playground' },
      { text: 'Public models that we tried', link: '/models' },
    ],
  },
  {
    text: 'Build an app',
    items: [
      { text: 'Generated code', link: '/generated-code' },
      { text: 'Lists in React and Svelte', link: '/query-hooks' },
      { text: 'Mock a service', link: '/mock-service' },
      { text: 'In your project', link: '/projects' },
    ],
  },
  {
    text: 'Implement a service',
    items: [
      { text: 'Write a spec', link: '/spec-language' },
      { text: 'Your own database', link: '/own-database' },
      { text: 'Server skeleton', link: '/generated-code#the-server' },
      { text: 'Mount the server', link: '/mounts' },
    ],
  },
  {
    text: 'Check a service',
    items: [
      { text: 'Conformance', link: '/conformance' },
      { text: 'In CI', link: '/ci' },
      { text: 'Rules', link: '/rules' },
      { text: 'How many faults it finds', link: '/mutants' },
      { text: 'What it found', link: '/findings' },
    ],
  },
  {
    text: 'Run a service',
    items: [
      { text: 'Operations', link: '/operations' },
      { text: 'Data files', link: '/data' },
      { text: 'Security', link: '/security' },
      { text: 'Endurance tests', link: '/soak' },
      { text: 'Large stores', link: '/scale' },
    ],
  },
  { text: 'Recipes', items: [{ text: 'All examples', link: '/examples/' }, ...examples] },
  {
    text: 'Reference',

    items: [
      { text: 'Spec language', link: '/spec-language' },
      { text: 'Query language', link: '/query-language' },
      { text: 'Command line', link: '/command-line' },
      { text: 'CSDL vocabulary', link: '/csdl-vocabulary' },
      { text: 'Compliance suite', link: '/compliance' },
      { text: 'Directory: assumptions', link: '/assumptions' },
      { text: 'Glossary', link: '/glossary' },
      { text: 'Changes', link: '/changelog' },
    ],
  },
  {
    text: 'Internals',

    items: [
      { text: 'Architecture', link: '/architecture' },
      { text: 'Dependencies', link: '/dependencies' },
      { text: 'Benchmarks', link: '/benchmarks' },
      { text: 'Contributing', link: '/contributing' },
    ],
  },
]
