import { parentPort, workerData } from 'node:worker_threads'
import { attempt } from './attempt.mjs'
import { trials } from './corpus.mjs'
import { parsers } from './parsers.mjs'

const parser = parsers.find(({ name }) => name === workerData.name)
parentPort.postMessage('ready')
for (let index = workerData.from; index < trials.length; index++) {
  parentPort.postMessage(attempt(parser, trials[index]))
}
