// Preloaded into every Node process of a measured command: says at its end what it used.
const { appendFileSync } = require('node:fs')
const { isMainThread } = require('node:worker_threads')

if (isMainThread) {
  process.on('exit', () => {
    const { userCPUTime, systemCPUTime, maxRSS } = process.resourceUsage()
    appendFileSync(process.env.BENCH_USAGE_FILE, `${userCPUTime + systemCPUTime} ${maxRSS}\n`)
  })
}
