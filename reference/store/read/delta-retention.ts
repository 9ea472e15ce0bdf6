/** How long a delta link can be followed, in milliseconds: what was removed before is forgotten. */
export const deltaRetention = 7 * 24 * 60 * 60 * 1000
