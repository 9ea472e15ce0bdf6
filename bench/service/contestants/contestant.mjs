import { cap } from './cap.mjs'
import { floor } from './floor.mjs'
import { specwright } from './specwright.mjs'

/**
 * A contestant.
 *
 * @typedef {object} Contestant
 * @property {string} name
 * @property {Readonly<Record<string, string>>} headers that each request needs
 * @property {(asked: import('../workloads.mjs').Asked) => string} target path and query as this contestant has them
 * @property {(body: object) => object} body as this contestant has it
 * @property {(place: string, sizes: Sizes) => Promise<void>} prepare makes its data in a folder
 * @property {(place: string) => Promise<import('./started.mjs').Running>} start on the data of that folder
 *
 * @typedef {object} Sizes
 * @property {number} users
 * @property {number} messages
 */

/** @param {string} folder of the built Specwright @returns {readonly Contestant[]} ours, the peer, and the floor */
export const contestants = folder => [specwright(folder), cap, floor]
