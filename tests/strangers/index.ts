export { checkStranger, drawChoices, type StrangerResult } from './check-stranger.js'
export { buildStranger, type Stranger, strangerNames } from './start-stranger.js'
