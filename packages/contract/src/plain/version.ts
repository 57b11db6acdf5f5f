/** Release and feature level of the protocol, which clients check. */
export const chatVersion = '3.1'
export const chatFeatureLevel = 27
