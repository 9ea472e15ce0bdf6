/** The SRID of the only system in which positions on the globe are reckoned with: longitude and latitude of WGS 84. */
export const wgs84 = 4326
