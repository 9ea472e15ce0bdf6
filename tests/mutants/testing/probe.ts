interface ProbeRequest {
  readonly method?: string
  readonly path: string
  readonly headers?: Readonly<Record<string, string>>
  readonly body?: string
  /** Default: the valid credential. `undefined` sends none. */
  readonly credential?: string | undefined
}

interface ProbeAnswer {
  readonly status: number
  readonly headers: string
  readonly text: string
  readonly json: unknown
}

export type Send = (request: ProbeRequest) => Promise<ProbeAnswer>

/** A sequence of requests to a service. Later requests may depend on earlier responses. */
type Probe = (send: Send) => Promise<void>

/** Probes by topic. */
export type Probes = Readonly<Record<string, Probe>>

/** Runs a probe and records the responses, one text for each request. */
export async function transcript(
  probe: Probe,
  service: (request: Request) => Promise<Response>,
  root: string,
): Promise<readonly string[]> {
  const reported: string[] = []
  await probe(async request => {
    const answer = await send(request, service, root)
    reported.push(textOf(request, answer))
    return answer
  })
  return reported
}

class AnswerDiffers extends Error {}

/** The first request whose response differs from the transcript. Undefined if none differs. */
export async function firstDifference(
  probe: Probe,
  service: (request: Request) => Promise<Response>,
  root: string,
  expected: readonly string[],
): Promise<string | undefined> {
  let index = 0
  let found: string | undefined
  try {
    await probe(async request => {
      const answer = await send(request, service, root)
      if (textOf(request, answer) !== expected[index++]) {
        found = `${request.method ?? 'GET'} ${request.path}`
        throw new AnswerDiffers()
      }
      return answer
    })
  } catch (error) {
    if (!(error instanceof AnswerDiffers)) throw error
  }
  return found
}

/** It keeps a byte order mark. */
const decoder = new TextDecoder('utf-8', { ignoreBOM: true })

async function send(
  { method = 'GET', path, headers = {}, body, ...given }: ProbeRequest,
  service: (request: Request) => Promise<Response>,
  root: string,
): Promise<ProbeAnswer> {
  const credential = 'credential' in given ? given.credential : 'Bearer mutant-token'
  const request = new Request(path.startsWith('http') ? path : `${root}${path}`, {
    method,
    headers: {
      ...(credential === undefined ? {} : { authorization: credential }),
      ...(body === undefined ? {} : { 'content-type': 'application/json' }),
      ...headers,
    },
    ...(body === undefined ? {} : { body }),
  })
  const response = await service(request)
  const text = decoder.decode(await response.arrayBuffer())
  return {
    status: response.status,
    headers: JSON.stringify([...response.headers]),
    text,
    // Few probes read it.
    get json() {
      return parsed(text.replace(/^\uFEFF/, ''))
    },
  }
}

function textOf({ method = 'GET', path }: ProbeRequest, { status, headers, text }: ProbeAnswer): string {
  return `${method} ${path} ${status} ${headers} ${text}`
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

/** The member of a JSON value at a path, or undefined. */
export function member(json: unknown, ...names: readonly (string | number)[]): unknown {
  let value = json
  for (const name of names) value = typeof value === 'object' && value !== null ? Reflect.get(value, name) : undefined
  return value
}

/** The member at a path, as a string. */
export function text(json: unknown, ...names: readonly (string | number)[]): string {
  return String(member(json, ...names))
}
