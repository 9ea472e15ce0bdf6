import { execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, readFileSync } from 'node:fs'
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { createServer } from 'node:http'
import { tmpdir } from 'node:os'
import { basename, delimiter, dirname, join } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { parse } from 'yaml'
import { root } from '../root.js'
import { killAll, startServe } from '../serve/serve-process.js'
import { freePort, packageScripts, writePackageCommands } from './commands.js'
import { checkKindOf, codeBlocksOf } from './page.js'

// Actions of others, a GitLab runner and Docker are not available: the tests run the shell commands of the recipes.

const execute = promisify(execFile)
const blocks = new Map(
  codeBlocksOf('docs/ci.md').flatMap(block => {
    const kind = checkKindOf(block)
    return kind.kind === 'CI recipe' ? [[kind.name, block.text] as const] : []
  }),
)

/** A member of a parsed document, by its path; undefined if it is absent. */
const at = (value: unknown, ...path: readonly string[]): unknown =>
  path.reduce<unknown>(
    (inner, name) => (typeof inner === 'object' && inner !== null ? Reflect.get(inner, name) : undefined),
    value,
  )

const listAt = (value: unknown, ...path: readonly string[]): readonly unknown[] => {
  const found = at(value, ...path)
  return Array.isArray(found) ? found : []
}

const namesAt = (value: unknown, ...path: readonly string[]): readonly string[] =>
  Object.keys(Object(at(value, ...path)))

/** A step that runs a script. */
interface Step {
  readonly name: string
  readonly script: string
  readonly env: Readonly<Record<string, string>>
}

const scriptSteps = (steps: readonly unknown[]): readonly Step[] =>
  steps.flatMap(step => {
    const script = at(step, 'run')
    const env = Object.entries(Object(at(step, 'env'))).map(([name, value]) => [name, String(value)] as const)
    return typeof script === 'string' ? [{ name: String(at(step, 'name')), script, env: Object.fromEntries(env) }] : []
  })

const action: unknown = parse(readFileSync(join(root, 'action.yml'), 'utf8'))
const workflow: unknown = parse(blocks.get('github') ?? '')
const actionUse: unknown = parse(blocks.get('action') ?? '')
const pipeline: unknown = parse(blocks.get('gitlab') ?? '')
const dockerCommands = (blocks.get('docker') ?? '').replaceAll('\\\n', ' ').split('\n')

const actionSteps = scriptSteps(listAt(action, 'runs', 'steps'))
const workflowSteps = scriptSteps(listAt(workflow, 'jobs', 'conformance', 'steps'))
const pipelineScript = listAt(pipeline, 'conformance', 'script').map(String)

const tokenOf = {
  github: at(workflow, 'jobs', 'conformance', 'env', 'SPECWRIGHT_TOKEN'),
  gitlab: at(pipeline, 'conformance', 'variables', 'SPECWRIGHT_TOKEN'),
}

/** The service that the recipes check. */
const spec = `specwright: 1
service: { name: todo, version: v1.0 }
authentication: { scheme: bearer }
errors: {}
container: { tasks: { entitySet: task } }
resources:
  task: { kind: entityType, key: [id], properties: { id: { type: String, computed: true }, title: { type: String } } }
paths:
  /tasks: { get: { returns: collection }, post: { creates: task } }
  /tasks/{id}: { get: { returns: item }, delete: { deletes: item } }
`
/** A service that answers without a credential: a violation. */
const openSpec = spec.replace('scheme: bearer', 'scheme: none')

let folder = ''
let port = 0

/** Runs a script as the runner of GitHub does. Returns the exit code and the output. */
function bash(
  script: string,
  cwd: string,
  env: Readonly<Record<string, string>>,
): Promise<{ exit: number; printed: string }> {
  return new Promise((resolve, reject) => {
    // A service that the script starts in the background belongs to its process group.
    const child = spawn('bash', ['--noprofile', '--norc', '-e', '-o', 'pipefail', '-c', script], {
      cwd,
      detached: true,
      stdio: ['ignore', 'pipe', 'pipe'],
      env: {
        ...process.env,
        SPECWRIGHT_TOKEN: undefined,
        NO_COLOR: '1',
        PATH: `${join(folder, 'bin')}${delimiter}${process.env['PATH']}`,
        ...env,
      },
    })
    if (child.pid !== undefined && /&\s*$/m.test(script)) groups.add(child.pid)
    let printed = ''
    const append = (chunk: unknown): void => {
      printed += String(chunk)
    }
    child.stdout.on('data', append)
    child.stderr.on('data', append)
    child.on('error', reject)
    child.on('close', code => resolve({ exit: code ?? 1, printed }))
  })
}

/** Process groups with a service in the background. */
const groups = new Set<number>()

function stopServices(): void {
  for (const group of groups) {
    try {
      process.kill(-group, 'SIGKILL')
    } catch {
      // It has ended.
    }
  }
  groups.clear()
}

/** A project with the spec that is checked, and another spec in the file that the recipe serves. */
async function project(name: string): Promise<string> {
  const path = join(folder, name)
  // The service of another test may still be ending at its port.
  port = await freePort()
  await mkdir(path)
  await writeFile(join(path, 'todo.yaml'), spec)
  await writeFile(join(path, 'open.yaml'), openSpec)
  return path
}

/** A recipe's script, for a free port and with fewer requests. */
const adapted = (script: string, served: string): string =>
  script
    .replaceAll('8080', String(port))
    .replace('serve todo.yaml', `serve ${served}`)
    .replace('--seed 1', '--seed 1 --requests 60')

const reportsIn = (path: string): readonly boolean[] =>
  ['report.sarif', 'junit.xml', 'report.html'].map(name => existsSync(join(path, name)))

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'specwright-ci-'))
  await writePackageCommands(join(folder, 'bin'))
})

afterAll(async () => {
  stopServices()
  killAll()
  await rm(folder, { recursive: true, force: true })
})

describe('the recipes for CI', () => {
  it.each([
    { command: 'conformance', expected: ['--spec', '--format', '--report', '--allow-writes', '--seed'] },
    { command: 'serve', expected: ['--port', '--host', '--store'] },
  ])('pass only options that $command has', async ({ command, expected }) => {
    const scripts = [...actionSteps, ...workflowSteps].map(({ script }) => script)
    const lines = [...scripts, ...pipelineScript, ...dockerCommands, dockerfile().start.join(' ')]
      .flatMap(text => text.replaceAll('\\\n', ' ').split('\n'))
      .flatMap(line => line.split(/specwright(?:\.js")? (?=conformance|serve)/).slice(1))
    // The action adds these options to the command.
    lines.push(`conformance --allow-writes --allow-changes ${at(actionUse, 'with', 'args')}`)
    const options = lines
      .filter(line => line.startsWith(command))
      .flatMap(line => [...line.matchAll(/\s(--[\w-]+)/g)].map(([, option]) => option))
    expect(options).toEqual(expect.arrayContaining(expected))
    const { stdout } = await execute(process.execPath, [join(root, 'dist/cli/specwright.js'), command, '--help'])
    const known = [...stdout.matchAll(/^ {2}(?:-\w, )?(--[\w-]+)/gm)].map(([, option]) => option)
    expect(options.filter(option => !known.includes(option))).toEqual([])
  })

  it('read the reports and outputs that the steps before them write', () => {
    const uses = listAt(workflow, 'jobs', 'conformance', 'steps')
    const check = workflowSteps.find(({ name }) => name === 'Check')?.script ?? ''
    const read = uses
      .flatMap(step => [at(step, 'with', 'sarif_file'), at(step, 'with', 'report_paths')])
      .filter(path => path !== undefined)
    expect(read).toEqual(['conformance-report/report.sarif', 'conformance-report/junit.xml'])
    for (const path of read) expect(check).toContain(`--report ${path}`)
    expect(pipelineScript.join('\n')).toContain(
      `--report ${at(pipeline, 'conformance', 'artifacts', 'reports', 'junit')}`,
    )
  })

  it('set only inputs that the action has', () => {
    const inputs = namesAt(action, 'inputs')
    expect(inputs).toEqual(['url', 'spec', 'token', 'allow-writes', 'allow-changes', 'args', 'report-folder'])
    expect(namesAt(actionUse, 'with').filter(name => !inputs.includes(name))).toEqual([])
    const outputs = namesAt(action, 'outputs')
    expect(outputs.map(name => at(action, 'outputs', name, 'value'))).toEqual(
      outputs.map(name => `\${{ steps.conformance.outputs.${name} }}`),
    )
  })

  it.each([
    { served: 'todo.yaml', exit: 0 },
    { served: 'open.yaml', exit: 1 },
  ])('of GitHub start $served, wait, check with exit code $exit, and write three reports', async ({ served, exit }) => {
    const path = await project(`github-${exit}`)
    const env = { SPECWRIGHT_TOKEN: String(tokenOf.github) }
    expect(workflowSteps.map(({ name }) => name)).toEqual(['Install', 'Start', 'Wait', 'Check'])
    for (const { name, script } of workflowSteps) {
      const result = await bash(adapted(script, served), path, env)
      expect(`${name} ${result.exit}`, result.printed).toBe(`${name} ${name === 'Check' ? exit : 0}`)
    }
    stopServices()
    expect(reportsIn(join(path, 'conformance-report'))).toEqual([true, true, true])
  })

  it('of GitLab start a service, wait, check, and write three reports', async () => {
    const path = await project('gitlab')
    const result = await bash(adapted(pipelineScript.join('\n'), 'todo.yaml'), path, {
      SPECWRIGHT_TOKEN: String(tokenOf.gitlab),
    })
    stopServices()
    expect(result.exit, result.printed).toBe(0)
    expect(reportsIn(join(path, 'conformance-report'))).toEqual([true, true, true])
  })
})

describe('the action', () => {
  /** Runs the scripts of the action until one fails. Returns the exit code and the outputs. */
  async function run(
    path: string,
    given: Readonly<Record<string, string>>,
  ): Promise<{ exit: number; printed: string; outputs: string }> {
    const output = join(path, 'output')
    await writeFile(output, '')
    const resolved = (text: string): string =>
      text.replace(/\$\{\{ (.+?) \}\}/g, (_, expression: string) => {
        const input = /^inputs\.([\w-]+)$/.exec(expression)?.[1]
        if (input !== undefined) return given[input] ?? String(at(action, 'inputs', input, 'default'))
        if (expression === 'github.action_path') return root
        throw new Error(`The test does not know ${expression}.`)
      })
    for (const { script, env } of actionSteps) {
      const variables = Object.fromEntries(Object.entries(env).map(([name, text]) => [name, resolved(text)]))
      const { exit, printed } = await bash(script, path, { ...variables, GITHUB_OUTPUT: output })
      if (exit !== 0) return { exit, printed, outputs: await readFile(output, 'utf8') }
    }
    return { exit: 0, printed: '', outputs: await readFile(output, 'utf8') }
  }

  it('has no expression in its scripts, so that no input can add a command', () => {
    expect(actionSteps.filter(({ script }) => script.includes('${{'))).toEqual([])
    expect(listAt(action, 'runs', 'steps').map(step => at(step, 'shell'))).toEqual(['bash', 'bash'])
  })

  it.each([
    { served: 'todo.yaml', writes: 'true', exit: 0 },
    { served: 'open.yaml', writes: 'false', exit: 1 },
  ])('checks $served with exit code $exit, and outputs it and three reports', async ({ served, writes, exit }) => {
    const path = await project(`action-${exit}`)
    const service = await startServe([served, '--port', '0', '--token', 'secret'], path)
    const given = {
      url: service.url,
      spec: 'todo.yaml',
      token: 'secret',
      'allow-writes': writes,
      'allow-changes': writes,
      args: '--seed 1\n--requests 60',
      'report-folder': 'my reports',
    }
    const result = await run(path, given)
    await service.stop()
    expect(result.exit, result.printed).toBe(exit)
    expect(reportsIn(join(path, 'my reports'))).toEqual([true, true, true])
    const outputs = [
      `exit-code=${exit}`,
      'sarif=my reports/report.sarif',
      'junit=my reports/junit.xml',
      'html=my reports/report.html',
      '',
    ]
    expect(result.outputs).toBe(outputs.join('\n'))
  })

  it.each(['allow-writes', 'allow-changes'])('refuses a value of %s that is neither true nor false', async input => {
    const path = await project(`action-refuses-${input}`)
    const result = await run(path, { url: 'http://127.0.0.1:9/v1.0', spec: 'todo.yaml', [input]: 'yes' })
    expect(result).toMatchObject({ exit: 2, outputs: '' })
    expect(result.printed).toContain(`${input} is "yes". Write true or false.`)
  })
})

/** The instructions of the Dockerfile, each on one line, and the commands that it contains. */
function dockerfile(): {
  instructions: readonly (readonly [string, string])[]
  start: readonly string[]
  health: readonly string[]
} {
  const lines = readFileSync(join(root, 'Dockerfile'), 'utf8').replaceAll('\\\n', '').split('\n')
  const instructions = lines.flatMap(line => {
    const [, name, rest = ''] = /^([A-Z]+) +(.*)$/.exec(line) ?? []
    return name === undefined ? [] : [[name, rest] as const]
  })
  const words = (name: string): readonly string[] => {
    const text = instructions.find(([other]) => other === name)?.[1] ?? ''
    const list: unknown = JSON.parse(text.slice(text.indexOf('[')))
    return Array.isArray(list) ? list.map(String) : []
  }
  return { instructions, start: [...words('ENTRYPOINT'), ...words('CMD')], health: words('HEALTHCHECK') }
}

describe('the Dockerfile', () => {
  const { instructions, start, health } = dockerfile()
  const textsOf = (name: string): readonly string[] =>
    instructions.flatMap(([other, text]) => (other === name ? [text] : []))

  it('copies files that exist, and runs commands of npm and scripts that exist', async () => {
    const sources = textsOf('COPY')
      .filter(text => !text.startsWith('--from='))
      .flatMap(text => text.split(' ').slice(0, -1))
    expect(sources.filter(source => !existsSync(join(root, source)))).toEqual([])
    const commands = textsOf('RUN').flatMap(text => text.split(' && '))
    const scripts = await packageScripts()
    expect(
      commands.filter(command => command.startsWith('npm run ')).filter(command => !scripts.includes(command.slice(8))),
    ).toEqual([])
    expect(commands.map(command => command.split(' ').slice(0, 2).join(' '))).toEqual([
      'npm ci',
      'mkdir /package',
      'npm pack',
      'npm install',
      'npm cache',
      'chown node:node',
    ])
    // The tests run all of them but the first, with which CI itself begins, in a clean checkout.
    const run = readFileSync(join(root, '.ci', 'run'), 'utf8')
      .trimEnd()
      .split('\n')
    expect(run.at(-1)).toMatch(/^npm ci && /)
  })

  it('copies to the last stage only what the first one writes, and ends as a user without privileges', () => {
    expect(textsOf('FROM')).toEqual(['node:22-slim AS build', 'node:22-slim'])
    expect(textsOf('COPY').at(-1)).toBe('--from=build /package /package')
    // npm does not create the folder.
    expect(textsOf('RUN')).toContain('mkdir /package && npm pack --pack-destination /package')
    expect(textsOf('USER')).toEqual(['node'])
  })

  it('packs and installs a command that starts a service, which its health check finds until it stops', async () => {
    const registry = await serveInstalledPackages()
    const [prefix, data] = [join(folder, 'image'), join(folder, 'data')]
    await mkdir(data)
    const config = { prefix, registry: registry.url, cache: join(folder, 'cache'), userconfig: join(folder, 'npmrc') }
    const env = {
      ...Object.fromEntries(Object.entries(config).map(([name, value]) => [`npm_config_${name}`, value])),
      PATH: `${join(prefix, 'bin')}${delimiter}${process.env['PATH']}`,
      SPECWRIGHT_TOKEN: 'secret',
    }
    const here = (text: string): string =>
      text
        .replaceAll('/package', join(folder, 'package'))
        .replaceAll('/data', data)
        .replace('node:node', '$(id -u):$(id -g)')
        .replaceAll('8080', String(port))
        .replace('0.0.0.0', '127.0.0.1')
    // `npm ci` downloads; it has installed what these tests use. The package has what it built.
    for (const step of textsOf('RUN').filter(text => text !== 'npm ci')) {
      const isPack = step.includes('npm pack')
      const result = await bash(here(step), root, isPack ? { ...env, npm_config_ignore_scripts: 'true' } : env)
      expect(result.exit, result.printed).toBe(0)
    }
    registry.close()
    const [command = '', ...args] = start.map(here)
    const service = spawn(command, args, {
      cwd: data,
      env: { ...process.env, ...env },
      stdio: ['ignore', 'pipe', 'ignore'],
    })
    const ended = once(service, 'close')
    try {
      await new Promise<void>((resolve, reject) => {
        let printed = ''
        service.stdout.on('data', chunk => {
          printed += String(chunk)
          if (/^listening /m.test(printed)) resolve()
        })
        void ended.then(() => reject(new Error(printed)), reject)
      })
      const [check = '', ...checked] = health.map(here)
      await expect(execute(check, checked)).resolves.toMatchObject({ stderr: '' })
      service.kill('SIGTERM')
      expect(await ended).toEqual([0, null])
      await expect(execute(check, checked)).rejects.toMatchObject({ code: 1 })
    } finally {
      service.kill('SIGKILL')
    }
  })
})

/** A registry with the packages that `npm ci` has installed here. */
async function serveInstalledPackages(): Promise<{ readonly url: string; readonly close: () => void }> {
  const lock: unknown = JSON.parse(readFileSync(join(root, 'package-lock.json'), 'utf8'))
  /** The folder of each version, by package. */
  const packages = new Map<string, Map<string, string>>()
  for (const path of namesAt(lock, 'packages')) {
    const name = /node_modules\/((?:@[^/]+\/)?[^/]+)$/.exec(path)?.[1]
    if (name === undefined || !existsSync(join(root, path, 'package.json'))) continue
    const versions = packages.get(name) ?? new Map<string, string>()
    packages.set(name, versions.set(String(at(lock, 'packages', path, 'version')), join(root, path)))
  }
  const server = createServer((request, response) => {
    const [name = '', version = ''] = decodeURIComponent(request.url ?? '')
      .slice(1)
      .split('/-/')
    const versions = packages.get(name)
    const path = versions?.get(version)
    if (path !== undefined) {
      const { stdout } = spawn('tar', ['-c', '--exclude=node_modules', '-C', dirname(path), basename(path)])
      stdout.pipe(response)
    } else if (versions !== undefined) {
      const described = [...versions].map(([number, folder]) => {
        const manifest: unknown = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'))
        const dist = { tarball: `http://${request.headers.host}/${name}/-/${number}` }
        return [number, { ...Object(manifest), dist }] as const
      })
      const latest = described.at(-1)?.[0]
      response.end(JSON.stringify({ name, 'dist-tags': { latest }, versions: Object.fromEntries(described) }))
    } else response.writeHead(404).end()
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  const port = typeof address === 'object' ? address?.port : undefined
  return { url: `http://127.0.0.1:${port}/`, close: () => server.close() }
}
