import type { Incoming, Outgoing } from '../../runtime/server/index.js'

/** What answers requests, and never throws: a service, or one with something around it. */
export type Answering = (incoming: Incoming) => Promise<Outgoing>
