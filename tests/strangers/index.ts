export { drawChoices, judgeStranger, type StrangerResult } from './judge-stranger.js'
export { buildStranger, type Stranger, strangerNames } from './start-stranger.js'
